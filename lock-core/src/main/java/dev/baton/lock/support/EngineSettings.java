package dev.baton.lock.support;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What holds for all locks of an engine.
 *
 * @param commandTimeoutNanos bound on one command
 * @param recheck how often who waits asks again
 * @param maxHoldNanos when renewal stops
 * @param passMillis for how long one who waits for several locks may be passed
 */
record EngineSettings(long commandTimeoutNanos, Duration recheck, long maxHoldNanos, long passMillis) {

    private static final long LEAST_MARK_MILLIS = TimeUnit.SECONDS.toMillis(60);

    /** The longest that a command can be late: for so long an acquire of an ended request is refused. */
    long markMillis(long leaseNanos) {
        long lease = TimeUnit.NANOSECONDS.toMillis(leaseNanos);
        long commands = TimeUnit.NANOSECONDS.toMillis(2 * commandTimeoutNanos);
        return Math.max(LEAST_MARK_MILLIS, Math.max(lease, commands));
    }
}
