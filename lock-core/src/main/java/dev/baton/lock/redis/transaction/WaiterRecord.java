package dev.baton.lock.redis.transaction;

import dev.baton.lock.store.AcquireCommand;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A waiter as it stands in the wait key, where acquire.lua writes and reads it as well. Times are microseconds of Redis's clock.
 *
 * @param asks by when it asks again, if it is not told of a grant; 0: it is told
 * @param leaseMillis length of its lease
 * @param deadline when it stops waiting; 0: never
 * @param alive until when it counts as alive
 * @param inbox where it is told
 * @param owner who waits
 * @param label who waits, for people
 * @param reserve how many tokens after its own are given to nobody else
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

    /** Null: no record, or none that can be granted by transaction: for several locks, or of another mode. */
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

    /** The record of a request that waits. */
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

    /** Whether it asks again in time, and need not be told. One that did not may be gone. */
    boolean polls(long now) {
        return now <= asks;
    }

    boolean isLate(long now) {
        return deadline != 0 && deadline <= now;
    }

    /** Whether nothing was heard from it for three rechecks, measured against the last acquire of anybody. */
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
