package dev.baton.lock.redis;

import dev.baton.lock.harness.RedisView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the keys of locks by parsers that are independent of the store. */
record StoredState(RedisView redis) {

    /** Returns the fields of the lock of any key. */
    Map<String, String> lock(String key) {
        Object text = redis.command("GET", key);
        return text == null ? Map.of() : fields((String) text);
    }

    /** Returns the fields of the text of a lock. */
    static Map<String, String> fields(String text) {
        String[] field = text.split(" ", 7);
        return Map.of(
                "version", field[0],
                "mode", field[1],
                "id", field[2],
                "token", field[3],
                "since", field[4],
                "owner", unescaped(field[5]),
                "label", unescaped(field[6]));
    }

    /** Returns the ids of the waiters of a queue by arrival. */
    List<String> waiters(String key) {
        return texts(redis.command("ZRANGE", key, "0", "-1")).stream()
                .map(record -> record.split(" ").length > 2 ? record.split(" ")[2] : record)
                .toList();
    }

    double arrival(String key, String id) {
        return Double.parseDouble(String.valueOf(redis.command("ZSCORE", key, record(key, id))));
    }

    /** Returns the record of a waiter in a queue, or {@code null} if there is none. */
    @Nullable
    String record(String key, String id) {
        return texts(redis.command("ZRANGE", key, "0", "-1")).stream()
                .filter(record -> record.split(" ", 4)[2].equals(id))
                .findFirst()
                .orElse(null);
    }

    /**
     * Makes a process silent: it was last heard long ago, and others have rechecked until now.
     *
     * @param now the time of the server
     */
    void silence(String key, String id, long now) {
        WaitingProcess process = process(key, id);
        redis.command(
                "HSET",
                key,
                LockRow.field(id),
                new WaitingProcess(5, 5, process.born(), process.kind(), process.inbox()).toString(),
                "run",
                now + " 5 10000000");
    }

    WaitingProcess process(String key, String id) {
        return WaitingProcess.parse(hash(key).get(LockRow.field(id)));
    }

    /** Returns all keys except those of processes that once waited, each of which must expire. */
    List<String> keys() {
        return redis.keys().stream()
                .filter(key -> !key.contains(":wait:") || redis.ttl(key) < 0)
                .toList();
    }

    Map<String, String> hash(String key) {
        Map<String, String> fields = new HashMap<>();
        List<String> flat = texts(redis.command("HGETALL", key));
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(flat.get(i), flat.get(i + 1));
        }
        return fields;
    }

    private static String unescaped(String field) {
        return field.replace("%20", " ").replace("%25", "%");
    }

    private static List<String> texts(@Nullable Object reply) {
        if (reply instanceof List<?> list) {
            return list.stream().map(String::valueOf).toList();
        }
        throw new AssertionError("Not a list: " + reply);
    }
}
