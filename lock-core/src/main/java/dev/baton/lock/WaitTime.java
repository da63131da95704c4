package dev.baton.lock;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * The bound on how long a request waits for its grant: not at all, up to a duration, or without a bound.
 *
 * <p>Immutable.
 */
public final class WaitTime {

    private static final WaitTime NONE = new WaitTime(Duration.ZERO);
    private static final WaitTime UNBOUNDED = new WaitTime(null);

    /** The bound, or {@code null} if the wait is unbounded. */
    private final @Nullable Duration duration;

    private WaitTime(@Nullable Duration duration) {
        this.duration = duration;
    }

    /** Returns a wait time that does not wait: the store is asked once. */
    public static WaitTime none() {
        return NONE;
    }

    /**
     * Returns a wait time without a bound: the request waits until granted, interrupted or refused, however long that
     * takes.
     */
    public static WaitTime unbounded() {
        return UNBOUNDED;
    }

    /**
     * Returns a wait time with this bound; zero does not wait.
     *
     * @throws IllegalArgumentException if the duration is negative
     */
    public static WaitTime of(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("wait time " + LockDurations.text(duration)
                    + " is negative; use 0 to not wait, or 'unbounded' to wait without a bound");
        }
        return duration.isZero() ? NONE : new WaitTime(duration);
    }

    /**
     * Reads {@code unbounded}, {@code 0}, or a duration with its unit: {@code 500ms}, {@code 10s}, {@code PT10S}.
     *
     * @throws IllegalArgumentException if the text is none of these, or negative
     */
    public static WaitTime valueOf(String text) {
        String trimmed = text.trim();
        if (trimmed.toLowerCase(Locale.ROOT).equals("unbounded")) {
            return UNBOUNDED;
        }
        if (trimmed.equals("0")) {
            return NONE;
        }
        return of(parse(trimmed, ", as '0' to not wait, or as 'unbounded' to wait without a bound"));
    }

    /** Reads a duration, which must have a unit. */
    static Duration parse(String text) {
        return parse(text, "");
    }

    private static Duration parse(String text, String others) {
        if (text.matches("[+-]?\\d+")) {
            throw new IllegalArgumentException("'" + text + "' has no unit; write '" + text + "s' or '" + text + "ms'");
        }
        try {
            return DurationFormatterUtils.detectAndParse(text);
        } catch (IllegalArgumentException ex) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration; write it as '500ms', '10s', '5m' or 'PT10S'" + others, ex);
        }
    }

    public boolean isUnbounded() {
        return duration == null;
    }

    /** Returns whether the store is asked only once. */
    public boolean isNone() {
        return duration != null && duration.isZero();
    }

    /**
     * Returns the bound.
     *
     * @throws IllegalStateException if there is none
     */
    public Duration duration() {
        if (duration == null) {
            throw new IllegalStateException("an unbounded wait has no duration");
        }
        return duration;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WaitTime that
                && (duration == null ? that.duration == null : duration.equals(that.duration));
    }

    @Override
    public int hashCode() {
        return duration == null ? 1 : duration.hashCode();
    }

    @Override
    public String toString() {
        return duration == null ? "unbounded" : duration.toString();
    }
}
