package dev.baton.lock.annotation;

import dev.baton.lock.LockDurations;
import dev.baton.lock.WaitTime;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringValueResolver;

/** Reads the durations of one annotation, each given as a number of seconds, as a text, or not at all. */
final class DurationReader {

    /** Number of seconds that means "not given". */
    private static final long UNSET = -1;

    private final StringValueResolver placeholders;
    private final AnnotatedPlace place;

    DurationReader(StringValueResolver placeholders, AnnotatedPlace place) {
        this.placeholders = placeholders;
        this.place = place;
    }

    /** Returns {@code null} if not given. */
    @Nullable
    Duration expire(long seconds, String text) {
        checkOneForm("expire", seconds, text);
        if (seconds == UNSET) {
            return parse(
                    "expireString",
                    text,
                    value -> LockDurations.checkExpire(LockDurations.parse(value)),
                    "Give 10 ms to ten years with the unit, such as '500ms', '10s' or 'PT10S'");
        }
        if (seconds <= 0) {
            throw place.error(
                    "expire",
                    "expire = " + seconds + " s is too short for a lease",
                    "Give at least 1 s, use expireString for less, or leave it out for the configured baton.expire");
        }
        try {
            return LockDurations.checkExpire(Duration.ofSeconds(seconds));
        } catch (IllegalArgumentException ex) {
            throw place.error("expire", String.valueOf(ex.getMessage()), "Give at most ten years", ex);
        }
    }

    /** Returns {@code null} if not given. */
    @Nullable
    WaitTime waitTime(long seconds, String text) {
        checkOneForm("waitTime", seconds, text);
        if (seconds == UNSET) {
            return parse(
                    "waitTimeString",
                    text,
                    WaitTime::valueOf,
                    "Give a duration with the unit, such as '500ms', '10s' or 'PT10S', or '0' or 'unbounded'");
        }
        if (seconds < 0) {
            throw place.error(
                    "waitTime",
                    "waitTime = " + seconds + " s is negative",
                    "Use 0 to not wait, waitTimeString = \"unbounded\" to wait without a bound, or leave it out for the"
                            + " configured baton.wait-time");
        }
        return WaitTime.of(Duration.ofSeconds(seconds));
    }

    /** Returns {@code null} if not given. */
    @Nullable
    Duration duration(String attribute, String text) {
        return parse(attribute, text, LockDurations::parse, "Give it with the unit, such as '500ms', '10s' or 'PT10S'");
    }

    private void checkOneForm(String attribute, long seconds, String text) {
        if (seconds != UNSET && !text.isEmpty()) {
            throw place.error(
                    attribute,
                    attribute + " = " + seconds + " and " + attribute + "String = '" + text + "' are both given",
                    "Keep one of them");
        }
    }

    private <T> @Nullable T parse(String attribute, String text, Function<String, T> parser, String action) {
        if (text.isEmpty()) {
            return null;
        }
        String resolved = place.resolve(attribute, text, placeholders);
        if (resolved.isBlank()) {
            return null;
        }
        try {
            return parser.apply(resolved);
        } catch (IllegalArgumentException ex) {
            throw place.error(attribute, ex.getMessage() + AnnotatedPlace.origin(text, resolved), action, ex);
        }
    }
}
