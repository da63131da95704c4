package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.WAIT;
import static dev.baton.lock.redis.LockRow.over;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.script.LuaScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes and reads the readers of the lock of a {@link LockRow}. */
record ReaderRow(RedisView redis, LockRow row) {

    static final String READERS = "lock:readers:{orders.1}";
    static final String READER = "lock:reader:{orders.1}";

    /** Returns a reader that waits. */
    static LockRow.Request reads(String id) {
        return LockRow.Request.waits(id).shared();
    }

    /** The reply of a downgrade. */
    record DowngradeResult(String token, long more, List<?> next) {}

    /** Makes a reader of a writer. */
    DowngradeResult downgrade(String id, LockRow.Request reader) {
        List<String> keys = List.of(LOCK, QUEUE, WAIT, FENCE, over(id), over(reader.id()));
        List<String> args = List.of(id, "60000", reader.record());
        List<?> reply = row.call(LuaScript.DOWNGRADE, keys, args);
        return new DowngradeResult((String) reply.get(0), (Long) reply.get(1), (List<?>) reply.get(2));
    }

    /** Returns the ids of the readers, in the order in which their leases end. */
    List<String> ids() {
        List<?> ids = (List<?>) redis.command("ZRANGE", READERS, "0", "-1");
        return ids.stream().map(String::valueOf).toList();
    }

    /** Returns the id, token, label and remaining milliseconds of the readers that an inspection names. */
    List<List<?>> inspect() {
        List<?> reply = (List<?>)
                row.call(LuaScript.INSPECT, List.of(LOCK, QUEUE), List.of("0")).get(4);
        List<List<?>> readers = new ArrayList<>();
        for (int i = 0; i < reply.size(); i += 2) {
            Map<String, String> reader = StoredState.fields((String) reply.get(i));
            readers.add(List.of(reader.get("id"), reader.get("token"), reader.get("label"), (Long) reply.get(i + 1)));
        }
        return readers;
    }
}
