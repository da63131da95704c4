package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.WAIT;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.script.LuaScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes and reads the permits of the name of a {@link LockRow}. */
record PermitRow(RedisView redis, LockRow row) {

    static final String SIZES = "lock:size:{orders.1}";

    /** Returns a request for permits that waits, and that others must not pass. */
    static LockRow.Request takes(String id, int count, int size) {
        return LockRow.Request.waits(id).permits(count, size, 0);
    }

    /** Returns the stated sizes, and the milliseconds for which each of them is stated. */
    Map<String, Long> sizes() {
        long now = row.time() / 1_000;
        List<?> all = (List<?>) redis.command("ZRANGE", SIZES, "0", "-1", "WITHSCORES");
        Map<String, Long> sizes = new TreeMap<>();
        for (int i = 0; i < all.size(); i += 2) {
            sizes.put((String) all.get(i), Long.parseLong((String) all.get(i + 1)) - now);
        }
        return sizes;
    }

    /** Returns how many permits are counted as used, or {@code "null"}. */
    String used() {
        return String.valueOf(redis.command("HGET", ReaderRow.READER, "used"));
    }

    /** Sets the size. Returns the size that counts, and how many permits are used. */
    List<?> resize(int size, long millis) {
        return row.call(LuaScript.RESIZE, List.of(LOCK, QUEUE, WAIT, FENCE), List.of("" + size, "" + millis));
    }

    /** Returns the size and the number of used permits of an inspection. */
    List<?> inspect() {
        List<?> reply = row.call(LuaScript.INSPECT, List.of(LOCK, QUEUE), List.of("0"));
        return List.of(reply.get(5), reply.get(6));
    }

    /** Returns the texts of the holders that an inspection names, without the time of the grant. */
    List<String> holders() {
        List<?> reply = (List<?>)
                row.call(LuaScript.INSPECT, List.of(LOCK, QUEUE), List.of("0")).get(4);
        List<String> holders = new ArrayList<>();
        for (int i = 0; i < reply.size(); i += 2) {
            holders.add(((String) reply.get(i)).replaceFirst("(\\d+) \\d+ ([^ ]* [^ ]*)( \\d+ \\d+)$", "$1$3"));
        }
        return holders;
    }
}
