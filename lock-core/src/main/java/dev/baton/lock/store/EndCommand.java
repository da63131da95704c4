package dev.baton.lock.store;

import java.util.List;

/**
 * Ends a request: gives its lock back, or takes it out of the queue. May be repeated, and come late.
 *
 * @param names its locks
 * @param id the request
 * @param keepMillis how much longer its locks are kept from others if it holds them, at most the rest of the lease; 0: not at
 *     all
 * @param markMillis how long an acquire of it that comes even later is refused; 0: all its acquires have been answered
 * @param timeoutNanos when the answer is no longer awaited
 */
public record EndCommand(List<LockName> names, String id, long keepMillis, long markMillis, long timeoutNanos) {}
