package dev.baton.lock.engine.ticket;

import dev.baton.lock.time.LeaseClock;

/**
 * Whether a lock is passed on within the process, or goes by way of the store. Pure; times are those of
 * {@code System.nanoTime()}.
 *
 * @param limit how many times in a row it is passed on; 0: never
 * @param maxNanos for how long after its grant it is passed on
 */
public record CohortPolicy(int limit, long maxNanos) {

    static final CohortPolicy OFF = new CohortPolicy(0, 0);

    /** At most this share of a lease goes by before the lock is not passed on any more. */
    private static final int SHARE = 3;

    /** Held for so many runs of passes, a lock is exchanged: it is to be seen in the store who holds it, and since when. */
    private static final int MOST_RUNS = 32;

    public boolean isOff() {
        return limit == 0;
    }

    /**
     * Whether the lock may be passed on now.
     *
     * @param passes how many times it was passed on since its grant, or since the store was last found to know of nobody else
     *     who waits
     * @param reserved for how many passes tokens are kept
     * @param since when it was granted, or the store was asked that
     * @param end of the lease by our own clock; whoever is next inherits it
     */
    public boolean mayPass(int passes, int reserved, long since, long end, long leaseNanos, long now) {
        return passes < Math.min(limit, reserved)
                && now - since < longest(leaseNanos)
                && !LeaseClock.isOver(end, now)
                && !LeaseClock.isTooShort(end, now, leaseNanos);
    }

    /**
     * Whether it is time to ask the store whether nobody else waits: so early that the answer comes before the lock may not be passed
     * on any more.
     *
     * @param runs how many times it was so since the lock was granted
     */
    public boolean isTimeToExtend(int runs, int passes, int reserved, long since, long leaseNanos, long now) {
        return runs < MOST_RUNS - 1
                && (2 * passes >= Math.min(limit, reserved) || 2 * (now - since) >= longest(leaseNanos));
    }

    /** For how long the lock is passed on, from its grant or from when the store was asked. */
    public long longest(long leaseNanos) {
        return Math.min(maxNanos, leaseNanos / SHARE);
    }
}
