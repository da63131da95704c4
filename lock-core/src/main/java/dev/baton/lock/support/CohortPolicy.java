package dev.baton.lock.support;

/**
 * Whether a lock is passed on within the process, or goes by way of the store. Pure; times are those of
 * {@code System.nanoTime()}.
 *
 * @param limit how many times in a row it is passed on; 0: never
 * @param maxNanos for how long after its grant it is passed on
 */
record CohortPolicy(int limit, long maxNanos) {

    static final CohortPolicy OFF = new CohortPolicy(0, 0);

    /** At most this share of a lease goes by before the lock is not passed on any more. */
    private static final int SHARE = 3;

    boolean isOff() {
        return limit == 0;
    }

    /**
     * Whether the lock may be passed on now.
     *
     * @param passes how many times it was passed on since its grant
     * @param reserved for how many passes the grant has kept tokens
     * @param end of the lease by our own clock; whoever is next inherits it
     */
    boolean mayPass(int passes, int reserved, long grantedAt, long end, long leaseNanos, long now) {
        return passes < Math.min(limit, reserved)
                && now - grantedAt < Math.min(maxNanos, leaseNanos / SHARE)
                && !LeaseClock.isOver(end, now)
                && !LeaseClock.isTooShort(end, now, leaseNanos);
    }
}
