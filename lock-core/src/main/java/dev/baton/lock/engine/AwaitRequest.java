package dev.baton.lock.engine;

import dev.baton.lock.engine.ticket.AcquisitionSpec;
import org.jspecify.annotations.Nullable;

/**
 * How a holder awaits a condition.
 *
 * @param condition the name of the condition
 * @param back the request by which the lock comes back
 * @param nanos how long to await the condition, in nanoseconds; not positive: not at all
 * @param unbounded whether the condition is awaited without a bound, whatever {@code nanos} says
 * @param interruptible whether an interrupt ends the wait at the condition
 * @param backNanos how long the lock may then take to come back, in nanoseconds, or {@code null} for no bound
 */
public record AwaitRequest(
        String condition,
        AcquisitionSpec back,
        long nanos,
        boolean unbounded,
        boolean interruptible,
        @Nullable Long backNanos) {}
