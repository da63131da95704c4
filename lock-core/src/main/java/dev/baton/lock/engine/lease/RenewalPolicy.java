package dev.baton.lock.engine.lease;

import java.util.concurrent.TimeUnit;

/** When a lease is renewed. Pure; times are those of {@code System.nanoTime()}. */
final class RenewalPolicy {

    private static final long LONGEST_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final long maxHoldNanos;

    RenewalPolicy(long maxHoldNanos) {
        this.maxHoldNanos = maxHoldNanos;
    }

    /** When to renew a lease that was granted or renewed by a command sent at {@code sentAt}. */
    long next(long sentAt, long leaseNanos) {
        return sentAt + leaseNanos / 3;
    }

    /** When to try again after a renewal that failed: soon, while there is some of the lease left. */
    long retry(long now, long leaseNanos) {
        return now + Math.max(SHORTEST_RETRY_NANOS, Math.min(leaseNanos / 9, LONGEST_RETRY_NANOS));
    }

    /** Whether a lease granted at {@code grantedAt} may still be renewed. */
    boolean mayRenew(long grantedAt, long now) {
        return now - grantedAt < maxHoldNanos;
    }

    /**
     * Whether a lease granted at {@code grantedAt} may begin anew: whoever is passed it by then has half of that time left.
     *
     * @param lastPassAt until when it is passed on
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
