package dev.baton.lock.time;

import java.util.concurrent.TimeUnit;

/**
 * Until when a lease is ours, by our own clock. Pure; times are those of {@code System.nanoTime()}.
 *
 * <p>Redis counts a lease from when it ran our command, or from when it handed the lock over. Both come after we sent
 * the command in question, so counting from the sending never ends too late, whatever either clock or the network does.
 * It ends a little earlier than that, so that the holder is told while the lock is still its own.
 */
public final class LeaseClock {

    /** For what is rounded away on the way: Redis counts in milliseconds. */
    private static final long ROUNDING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Clocks are slewed by at most 500 parts per million, ours one way and Redis's the other. */
    private static final long DRIFT = 1_000;

    /** For telling the holder: the clock's thread has to wake up, and then the one that calls back. */
    private static final long LONGEST_TELLING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long TELLING = 20;

    private LeaseClock() {}

    /** The end of a lease that was granted, or renewed, after {@code sentAt}. */
    public static long end(long sentAt, long leaseNanos) {
        return sentAt + leaseNanos - leaseNanos / DRIFT - ROUNDING_NANOS - telling(leaseNanos);
    }

    /** How much of the time after such an end belongs to telling the holder, before the lock may be given away. */
    public static long toTell(long end, long now, long leaseNanos) {
        return isOver(end, now) ? Math.max(0, telling(leaseNanos) + remaining(end, now)) : 0;
    }

    private static long telling(long leaseNanos) {
        return Math.min(leaseNanos / TELLING, LONGEST_TELLING_NANOS);
    }

    /** Negative when it is over. */
    public static long remaining(long end, long now) {
        return end - now;
    }

    public static boolean isOver(long end, long now) {
        return end - now <= 0;
    }

    /** Whether the cautious count gave so much of the lease away that it should be renewed at once. */
    public static boolean isTooShort(long end, long now, long leaseNanos) {
        return leaseNanos - remaining(end, now) > leaseNanos / 3;
    }
}
