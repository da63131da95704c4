package dev.baton.lock.engine.ticket;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The settings of all locks of an engine.
 *
 * @param commandTimeoutNanos the time-out of one command
 * @param recheck how often a waiter asks again, unless its request says otherwise
 * @param maxHoldNanos the time after a grant when renewal stops
 * @param passMillis for how long other requests may pass a request for several locks
 * @param maxWaiters how many requests may wait at the same time
 * @param shutdownAwaitNanos how long a stop waits for holders, or 0 if not at all
 * @param cohort when a lock is passed on within the process
 * @param pipelined whether a release need not wait for its answer
 * @param requestAfterNanos how long a request waits before its holder is told, and again until the next time; 0: never
 */
public record EngineSettings(
        long commandTimeoutNanos,
        Duration recheck,
        long maxHoldNanos,
        long passMillis,
        int maxWaiters,
        long shutdownAwaitNanos,
        CohortPolicy cohort,
        boolean pipelined,
        long requestAfterNanos) {

    private static final long LEAST_MARK_MILLIS = TimeUnit.SECONDS.toMillis(60);

    /** TCP gives up sending after about 15 minutes: a command arrives before this time, or never. */
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
        this(commandTimeoutNanos, recheck, maxHoldNanos, passMillis, maxWaiters, shutdownAwaitNanos, cohort, false, 0);
    }

    /** Returns these settings with pipelined releases. */
    public EngineSettings pipelining() {
        return with(true, requestAfterNanos);
    }

    /** Returns these settings with another time after which holders are told of requests that wait. */
    public EngineSettings requestingAfter(long nanos) {
        return with(pipelined, nanos);
    }

    private EngineSettings with(boolean pipelined, long requestAfterNanos) {
        return new EngineSettings(
                commandTimeoutNanos,
                recheck,
                maxHoldNanos,
                passMillis,
                maxWaiters,
                shutdownAwaitNanos,
                cohort,
                pipelined,
                requestAfterNanos);
    }

    /** Returns how often a ticket asks again while it waits. */
    public Duration recheck(Ticket ticket) {
        Duration own = ticket.spec().recheck();
        return own == null ? recheck : own;
    }

    /**
     * Returns the longest time by which a command can be late: for so long an acquire of an ended request is refused. With a
     * short lease the time is shorter, because the grant of a late acquire ends with this lease.
     */
    public long markMillis(long leaseNanos) {
        long lease = Math.min(TimeUnit.NANOSECONDS.toMillis(leaseNanos), MOST_MARK_MILLIS);
        long commands = TimeUnit.NANOSECONDS.toMillis(2 * commandTimeoutNanos);
        return Math.max(LEAST_MARK_MILLIS, Math.max(lease, commands));
    }
}
