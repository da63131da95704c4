package dev.baton.lock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads and checks the durations of a lock; every message names the value and the remedy. */
public final class LockDurations {

    /** The shortest lease; a shorter one would be over before its grant has crossed a network. */
    public static final Duration SHORTEST_EXPIRE = Duration.ofMillis(10);

    /** The longest lease; a longer one is no limit at all, because a holder that dies would keep its lock for ever. */
    public static final Duration LONGEST_EXPIRE = Duration.ofDays(3650);

    private LockDurations() {}

    /** Formats a duration in milliseconds, the usual unit of leases, unless the value is too large for milliseconds. */
    static String text(Duration duration) {
        boolean sayable = duration.compareTo(LONGEST_EXPIRE) <= 0 && duration.compareTo(LONGEST_EXPIRE.negated()) >= 0;
        return sayable ? duration.toMillis() + " ms" : duration.toString();
    }

    /**
     * Reads a duration with its unit: {@code 500ms}, {@code 10s}, {@code PT10S}.
     *
     * @throws IllegalArgumentException if the text is no duration or has no unit
     */
    public static Duration parse(String text) {
        return WaitTime.parse(text.trim());
    }

    /**
     * Returns the length of a lease if it is valid.
     *
     * @throws IllegalArgumentException if the length is shorter than 10 ms or longer than ten years
     */
    public static Duration checkExpire(Duration expire) {
        if (expire.compareTo(SHORTEST_EXPIRE) < 0) {
            throw new IllegalArgumentException("expire " + text(expire)
                    + " is too short; use at least 10 ms, and more than the work under the lock takes");
        }
        if (expire.compareTo(LONGEST_EXPIRE) > 0) {
            throw new IllegalArgumentException("expire of " + expire.toDays()
                    + " days is too long; use a short one with renewal (renew = ALWAYS), so that the lock of a dead holder"
                    + " becomes free soon");
        }
        return expire;
    }

    /**
     * Checks a lease against the longest one that the lock store allows.
     *
     * @param longest the longest lease, or {@code null} if any length is possible
     * @throws IllegalArgumentException if the lease is longer
     */
    public static void checkLongest(Duration expire, @Nullable Duration longest) {
        if (longest != null && expire.compareTo(longest) > 0) {
            throw new IllegalArgumentException("expire " + expire.toMillis() + " ms is longer than the longest lease, "
                    + longest.toMillis() + " ms (baton.longest-expire); shorten it, or raise baton.longest-expire in"
                    + " every process");
        }
    }
}
