package dev.baton.lock.engine.ticket;

import dev.baton.lock.time.LeaseClock;

/**
 * Decides whether a lock is passed on within the process, or goes by way of the store. Pure; times are those of
 * {@code System.nanoTime()}.
 *
 * @param limit how many times in a row the lock is passed on, or 0 if never
 * @param maxNanos for how long after its grant the lock is passed on
 */
public record CohortPolicy(int limit, long maxNanos) {

    static final CohortPolicy OFF = new CohortPolicy(0, 0);

    /** The lock is passed on within the first part of its lease only: this many parts make the lease. */
    private static final int SHARE = 3;

    /** After this many runs of passes the ticket is exchanged, so that the store shows the present holder of the lock. */
    private static final int MOST_RUNS = 32;

    public boolean isOff() {
        return limit == 0;
    }

    /**
     * Returns whether the lock may be passed on now.
     *
     * @param passes how many times the lock was passed on since its grant, or since the store last extended it
     * @param reserved the number of passes for which tokens are reserved
     * @param since when the lock was granted, or the store was asked to extend it
     * @param end the local end of the lease, which the next holder inherits
     */
    public boolean mayPass(int passes, int reserved, long since, long end, long leaseNanos, long now) {
        return passes < Math.min(limit, reserved)
                && now - since < longest(leaseNanos)
                && !LeaseClock.isOver(end, now)
                && !LeaseClock.isTooShort(end, now, leaseNanos);
    }

    /**
     * Returns whether it is time to ask the store to extend the lock: early enough that the answer arrives while the lock may
     * still be passed on.
     *
     * @param runs how many times the store has extended the lock since its grant
     */
    public boolean isTimeToExtend(int runs, int passes, int reserved, long since, long leaseNanos, long now) {
        return runs < MOST_RUNS - 1
                && (2 * passes >= Math.min(limit, reserved) || 2 * (now - since) >= longest(leaseNanos));
    }

    /** Returns for how long the lock is passed on after its grant, or after the store was asked to extend it. */
    public long longest(long leaseNanos) {
        return Math.min(maxNanos, leaseNanos / SHARE);
    }
}
