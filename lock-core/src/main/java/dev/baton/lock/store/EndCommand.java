package dev.baton.lock.store;

import dev.baton.lock.store.AcquireCommand.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends a request: releases its locks, or removes the request from the queue. The command may be repeated, and may
 * arrive late.
 *
 * @param names the locks of the request
 * @param id the id of the request
 * @param waiter the request as its acquires described it, by which a queue finds it, or {@code null} if it cannot be in a
 *     queue
 * @param keepMillis how much longer the locks are kept from others if the request holds them, in milliseconds, at most
 *     the rest of the lease; 0 if the locks are not kept
 * @param markMillis how long an acquire of the request that arrives after the end is refused, in milliseconds; 0 if all
 *     its acquires have been answered
 * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds
 * @param caller the calling thread, or {@code null} if this thread does not wait for the answer right away
 */
public record EndCommand(
        List<LockName> names,
        String id,
        @Nullable Request waiter,
        long keepMillis,
        long markMillis,
        long timeoutNanos,
        @Nullable WaitingCaller caller) {

    /** Creates a command whose calling thread does not wait for the answer right away. */
    public EndCommand(
            List<LockName> names,
            String id,
            @Nullable Request waiter,
            long keepMillis,
            long markMillis,
            long timeoutNanos) {
        this(names, id, waiter, keepMillis, markMillis, timeoutNanos, null);
    }
}
