package dev.baton.lock.store;

/**
 * Has the holder of one lock begin anew, as if it had been granted the lock just now, if nobody else waits for it. May be
 * carried out late, and more than once.
 *
 * @param name its lock
 * @param id the request that holds it
 * @param leaseMillis how long its lease is to last from when this runs, if that is longer than what is left; positive
 * @param reserve how many tokens are to be given to nobody else; positive
 * @param timeoutNanos when the answer is no longer awaited
 */
public record ExtendCommand(LockName name, String id, long leaseMillis, int reserve, long timeoutNanos) {}
