package dev.baton.lock.board;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonWriter;

/**
 * Writes the JSON that the page reads. Uses Spring Boot's own writer, because the application's mapper may be of either
 * major version of Jackson and may be configured to rename fields.
 */
final class BoardJson {

    private static final JsonWriter<Map<String, @Nullable Object>> WRITER = JsonWriter.standard();

    private BoardJson() {}

    static byte[] write(String instance, Duration lease, boolean forceRelease, BoardView view, BoardHistory history) {
        Map<String, @Nullable Object> board = new LinkedHashMap<>();
        board.put("instance", instance);
        board.put("leaseMillis", lease.toMillis());
        board.put("forceRelease", forceRelease);
        board.put("problem", view.problem());
        board.put("listening", view.listening());
        board.put("complete", view.complete());
        board.put("hidden", view.hidden());
        board.put("locks", view.rows().stream().map(BoardJson::row).toList());
        board.put(
                "deadlocks",
                view.deadlocks().stream()
                        .map(circle -> circle.stream().map(BoardJson::member).toList())
                        .toList());
        board.put("sliceMillis", BoardHistory.SLICE.toMillis());
        board.put("slices", history.past().stream().map(BoardJson::slice).toList());
        return bytes(board);
    }

    static byte[] message(String message) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("message", message);
        return bytes(answer);
    }

    private static byte[] bytes(Map<String, @Nullable Object> value) {
        return WRITER.writeToString(value).getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, @Nullable Object> row(BoardView.Row row) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("id", row.id());
        json.put("namespace", row.namespace());
        json.put("name", row.name());
        json.put("holder", row.holder() == null ? null : holder(row.holder()));
        json.put("waiting", row.waiting());
        json.put("queue", row.queue().stream().map(BoardJson::waiter).toList());
        json.put("permits", row.permits() == null ? null : permits(row.permits()));
        json.put(
                "conditions",
                row.conditions().stream().map(BoardJson::condition).toList());
        return json;
    }

    private static Map<String, Object> permits(BoardView.Permits permits) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("size", permits.size());
        json.put("used", permits.used());
        return json;
    }

    private static Map<String, Object> condition(BoardView.Condition condition) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", condition.name());
        json.put("waiting", condition.waiting());
        return json;
    }

    /** Writes the token as text, because JavaScript numbers are exact only up to 2^53. */
    private static Map<String, Object> holder(BoardView.Holder holder) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("label", holder.label());
        json.put("here", holder.here());
        json.put("token", Long.toString(holder.token()));
        json.put("heldMillis", holder.heldMillis());
        json.put("remainingMillis", holder.remainingMillis());
        return json;
    }

    private static Map<String, Object> waiter(BoardView.Waiter waiter) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("label", waiter.label());
        json.put("waitedMillis", waiter.waitedMillis());
        return json;
    }

    private static Map<String, Object> member(BoardView.Member member) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("label", member.label());
        json.put("holds", member.holds());
        json.put("waitsFor", member.waitsFor());
        return json;
    }

    /** Writes five counts and three waits, as a short list because there are many slices. */
    private static List<Number> slice(BoardSlice slice) {
        return List.of(
                slice.count(BoardSlice.Count.GRANTED),
                slice.count(BoardSlice.Count.TIMED_OUT),
                slice.count(BoardSlice.Count.LOST),
                slice.count(BoardSlice.Count.LOCAL),
                slice.count(BoardSlice.Count.REMOTE),
                rounded(slice.quantileMillis(0.5)),
                rounded(slice.quantileMillis(0.95)),
                rounded(slice.longestMillis()));
    }

    private static double rounded(double millis) {
        return Math.round(millis * 100) / 100.0;
    }
}
