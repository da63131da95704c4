package dev.baton.lock.redis.transaction;

import dev.baton.lock.store.AcquireCommand;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The record of a waiter in the wait key, where acquire.lua writes and reads it as well. Times are microseconds of
 * Redis's clock.
 *
 * @param asks the time by which the waiter asks again, or 0 if the waiter is notified of a grant
 * @param leaseMillis the length of its lease in milliseconds
 * @param deadline the time at which the waiter times out, or 0 if it waits without a bound
 * @param alive the time until which the waiter counts as alive
 * @param inbox the channel on which the waiter is notified
 * @param owner the owner of the request
 * @param label the label of the request, for people
 * @param reserve the number of tokens after its own that are given to no other process
 */
record WaiterRecord(
        long asks,
        long leaseMillis,
        long deadline,
        long alive,
        String inbox,
        String owner,
        String label,
        long reserve) {

    /**
     * Reads a record. Returns {@code null} if there is none, or if it cannot be granted by transaction: it is for
     * several locks, or of another mode.
     */
    static @Nullable WaiterRecord read(@Nullable String json) {
        if (json == null) {
            return null;
        }
        try {
            Map<String, @Nullable Object> field = FlatJson.read(json);
            boolean several = field.values().stream().anyMatch(value -> value instanceof Integer size && size > 1);
            if (several || !"x".equals(field.getOrDefault("mode", "x"))) {
                return null;
            }
            return new WaiterRecord(
                    "poll".equals(field.get("kind")) ? number(field.getOrDefault("asks", "0")) : 0,
                    number(field.get("lease")),
                    number(field.get("deadline")),
                    number(field.get("alive")),
                    text(field.get("inbox")),
                    text(field.get("owner")),
                    text(field.get("label")),
                    number(field.getOrDefault("reserve", "0")));
        } catch (IllegalArgumentException ex) {
            return null;
        }
    }

    /** Returns the record of a waiting request. */
    static String write(AcquireCommand.Request request, long now, long recheckMillis, String inbox) {
        long deadline = request.patienceMillis() < 0 ? 0 : now + request.patienceMillis() * 1000;
        return "{" + field("v", "1") + "," + field("mode", "x") + ","
                + field("kind", request.kind().name().toLowerCase(Locale.ROOT)) + ","
                + field("lease", Long.toString(request.leaseMillis())) + ","
                + field("deadline", Long.toString(deadline)) + ","
                + field("alive", Long.toString(now + 3000 * recheckMillis)) + ","
                + (request.kind() == AcquireCommand.Kind.POLL
                        ? field("asks", Long.toString(now + 1250 * recheckMillis)) + ","
                        : "")
                + field("inbox", inbox) + "," + field("owner", request.owner()) + ","
                + field("label", request.label())
                + (request.reserve() == 0 ? "" : "," + field("reserve", Integer.toString(request.reserve())))
                + "}";
    }

    /**
     * Returns whether the waiter still asks again in time, and need not be notified. A waiter that did not may be gone.
     */
    boolean polls(long now) {
        return now <= asks;
    }

    boolean isLate(long now) {
        return deadline != 0 && deadline <= now;
    }

    /** Returns whether the waiter was silent for three rechecks, measured against the last acquire of any process. */
    boolean isSilent(@Nullable Long seen) {
        return seen != null && alive < seen;
    }

    private static String field(String name, String value) {
        return FlatJson.quoted(name) + ":" + FlatJson.quoted(value);
    }

    private static String text(@Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("not a text: " + value);
    }

    private static long number(@Nullable Object value) {
        return Long.parseLong(text(value));
    }
}
