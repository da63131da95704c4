package dev.baton.lock.store;

/**
 * Ends a request: gives its lock back, or takes it out of the queue. May be repeated, and come late.
 *
 * @param name the lock
 * @param id the request
 * @param markMillis how long an acquire of it that comes even later is refused; 0: all its acquires have been answered
 * @param timeoutNanos when the answer is no longer awaited
 */
public record EndCommand(LockName name, String id, long markMillis, long timeoutNanos) {}
