package dev.baton.lock.engine.lease;

import java.util.concurrent.TimeUnit;

/** Decides when a lease is renewed. Pure; times are those of {@code System.nanoTime()}. */
final class RenewalPolicy {

    private static final long LONGEST_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final long maxHoldNanos;

    RenewalPolicy(long maxHoldNanos) {
        this.maxHoldNanos = maxHoldNanos;
    }

    /** Returns when to renew a lease that was granted or renewed by a command sent at {@code sentAt}. */
    long next(long sentAt, long leaseNanos) {
        return sentAt + leaseNanos / 3;
    }

    /** Returns when to retry a failed renewal: soon, while some of the lease is left. */
    long retry(long now, long leaseNanos) {
        return now + Math.max(SHORTEST_RETRY_NANOS, Math.min(leaseNanos / 9, LONGEST_RETRY_NANOS));
    }

    /** Returns whether a lease granted at {@code grantedAt} may still be renewed. */
    boolean mayRenew(long grantedAt, long now) {
        return now - grantedAt < maxHoldNanos;
    }

    /**
     * Returns whether a lease granted at {@code grantedAt} may be extended for further passes. A holder that gets the
     * lock by the last pass then has half of the maximum hold time left.
     *
     * @param lastPassAt the time until which the lock is passed on
     */
    boolean mayExtend(long grantedAt, long lastPassAt) {
        return lastPassAt - grantedAt < maxHoldNanos / 2;
    }

    /** Rounds a time down so that leases due at about the same time share a command. */
    static long slot(long at, long leaseNanos) {
        long width = Math.max(1, Math.min(TimeUnit.MILLISECONDS.toNanos(50), leaseNanos / 20));
        return at - Math.floorMod(at, width);
    }
}
