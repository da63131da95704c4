package dev.baton.lock.time;

import java.util.concurrent.TimeUnit;

/**
 * Computes until when this process may rely on a lease, by the local clock. Pure; times are those of
 * {@code System.nanoTime()}.
 *
 * <p>Redis counts a lease from the moment when Redis ran the command, or handed the lock over. Both moments come after
 * this process sent the command. A lease that is counted from the sending therefore never ends too late, whatever
 * either clock or the network does. The computed end is a little earlier still, so that the holder is notified while it
 * still has the lock.
 */
public final class LeaseClock {

    /** Covers rounding on the way: Redis counts in milliseconds. */
    private static final long ROUNDING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * A clock is slewed by at most 500 parts per million, and the local clock and Redis's may drift in opposite
     * directions.
     */
    private static final long DRIFT = 1_000;

    /** The longest time to notify the holder: the clock thread has to wake up, and then a callback thread. */
    private static final long LONGEST_TELLING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long TELLING = 20;

    private LeaseClock() {}

    /** Returns the end of a lease that was granted, or renewed, after {@code sentAt}. */
    public static long end(long sentAt, long leaseNanos) {
        return sentAt + leaseNanos - leaseNanos / DRIFT - ROUNDING_NANOS - telling(leaseNanos);
    }

    /**
     * Returns how much of the time after such an end is still reserved for notifying the holder, before the lock may be
     * given away. Zero before that end.
     */
    public static long toTell(long end, long now, long leaseNanos) {
        return isOver(end, now) ? Math.max(0, telling(leaseNanos) + remaining(end, now)) : 0;
    }

    private static long telling(long leaseNanos) {
        return Math.min(leaseNanos / TELLING, LONGEST_TELLING_NANOS);
    }

    /** Returns what is left of the lease; negative once the lease is over. */
    public static long remaining(long end, long now) {
        return end - now;
    }

    public static boolean isOver(long end, long now) {
        return end - now <= 0;
    }

    /** Returns whether the cautious end leaves so little of the lease that it should be renewed at once. */
    public static boolean isTooShort(long end, long now, long leaseNanos) {
        return leaseNanos - remaining(end, now) > leaseNanos / 3;
    }
}
