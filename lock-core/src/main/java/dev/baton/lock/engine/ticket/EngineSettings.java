package dev.baton.lock.engine.ticket;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What holds for all locks of an engine.
 *
 * @param commandTimeoutNanos bound on one command
 * @param recheck how often who waits asks again, unless its request says otherwise
 * @param maxHoldNanos when renewal stops
 * @param passMillis for how long one who waits for several locks may be passed
 * @param maxWaiters how many requests may wait at the same time
 * @param shutdownAwaitNanos how long a stop waits for holders; 0: not at all
 * @param cohort when a lock is passed on within the process
 * @param pipelined whether a release need not wait for its answer
 */
public record EngineSettings(
        long commandTimeoutNanos,
        Duration recheck,
        long maxHoldNanos,
        long passMillis,
        int maxWaiters,
        long shutdownAwaitNanos,
        CohortPolicy cohort,
        boolean pipelined) {

    private static final long LEAST_MARK_MILLIS = TimeUnit.SECONDS.toMillis(60);

    /** TCP gives up sending after about 15 minutes: what was given to a connection by then arrives before this, or never. */
    private static final long MOST_MARK_MILLIS = TimeUnit.MINUTES.toMillis(20);

    public EngineSettings(long commandTimeoutNanos, Duration recheck, long maxHoldNanos, long passMillis) {
        this(commandTimeoutNanos, recheck, maxHoldNanos, passMillis, Integer.MAX_VALUE, 0);
    }

    public EngineSettings(
            long commandTimeoutNanos,
            Duration recheck,
            long maxHoldNanos,
            long passMillis,
            int maxWaiters,
            long shutdownAwaitNanos) {
        this(commandTimeoutNanos, recheck, maxHoldNanos, passMillis, maxWaiters, shutdownAwaitNanos, CohortPolicy.OFF);
    }

    public EngineSettings(
            long commandTimeoutNanos,
            Duration recheck,
            long maxHoldNanos,
            long passMillis,
            int maxWaiters,
            long shutdownAwaitNanos,
            CohortPolicy cohort) {
        this(commandTimeoutNanos, recheck, maxHoldNanos, passMillis, maxWaiters, shutdownAwaitNanos, cohort, false);
    }

    /** As these, and releases are pipelined. */
    public EngineSettings pipelining() {
        return new EngineSettings(
                commandTimeoutNanos, recheck, maxHoldNanos, passMillis, maxWaiters, shutdownAwaitNanos, cohort, true);
    }

    /** How often a claim asks again while it waits. */
    public Duration recheck(Claim claim) {
        Duration own = claim.recheck;
        return own == null ? recheck : own;
    }

    /**
     * The longest that a command can be late: for so long an acquire of an ended request is refused. With a short lease it is less,
     * for what a late acquire is granted ends with that.
     */
    public long markMillis(long leaseNanos) {
        long lease = Math.min(TimeUnit.NANOSECONDS.toMillis(leaseNanos), MOST_MARK_MILLIS);
        long commands = TimeUnit.NANOSECONDS.toMillis(2 * commandTimeoutNanos);
        return Math.max(LEAST_MARK_MILLIS, Math.max(lease, commands));
    }
}
