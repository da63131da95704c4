package dev.baton.lock.store;

/**
 * Extends the grant of one lock as if the holder had been granted the lock just now, if no other request waits for the
 * lock. The command may be carried out late and more than once.
 *
 * @param name the lock
 * @param id the id of the request that holds the lock
 * @param leaseMillis the length of the lease from the execution of the command, in milliseconds, positive; a lease that
 *     has more time left is not shortened
 * @param reserve how many tokens to reserve for the process of the holder, positive
 * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds
 */
public record ExtendCommand(LockName name, String id, long leaseMillis, int reserve, long timeoutNanos) {}
