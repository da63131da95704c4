package dev.baton.lock.store;

import java.util.List;

/**
 * Ends a request: releases its locks, or removes the request from the queue. The command may be repeated, and may
 * arrive late.
 *
 * @param names the locks of the request
 * @param id the id of the request
 * @param keepMillis how much longer the locks are kept from others if the request holds them, in milliseconds, at most
 *     the rest of the lease; 0 if the locks are not kept
 * @param markMillis how long an acquire of the request that arrives after the end is refused, in milliseconds; 0 if all
 *     its acquires have been answered
 * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds
 */
public record EndCommand(List<LockName> names, String id, long keepMillis, long markMillis, long timeoutNanos) {}
