package dev.baton.lock.redis;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.AcquireResult;
import dev.baton.lock.redis.LockRow.Inbox;
import dev.baton.lock.redis.LockRow.Request;
import dev.baton.lock.redis.script.LuaScript;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Calls the scripts for one or several lock names, and reads the resulting keys. */
final class SeveralLocks {

    /** A patience that no test outlasts. */
    static final long PATIENT = 600_000;

    private final RedisView redis;
    private final LockRow row;
    private List<?> lastEnd = List.of();

    SeveralLocks(RedisView redis) {
        this.redis = redis;
        this.row = new LockRow(redis);
    }

    /** The reply of an end. */
    record EndResult(String what, List<?> missing, long more) {}

    static String lock(String name) {
        return "lock:lock:{" + name + "}";
    }

    static String queue(String name) {
        return "lock:queue:{" + name + "}";
    }

    static String waiting(String name) {
        return "lock:wait:{" + name + "}";
    }

    static String over(String name, String id) {
        return "lock:over:{" + name + "}:" + id;
    }

    /** Acquires for one request that other requests may pass during a test. */
    AcquireResult acquire(Request request, String... names) {
        return acquire(PATIENT, request, names);
    }

    /** Acquires for one request that no other request may pass. */
    AcquireResult acquireImpatient(Request request, String... names) {
        return acquire(0, request, names);
    }

    AcquireResult acquire(long pass, Request request, String... names) {
        return acquire(LockRow.RECHECK, pass, request, names);
    }

    AcquireResult acquire(long recheck, long pass, Request request, String... names) {
        String first = names[0];
        List<String> keys = new ArrayList<>(List.of(lock(first), queue(first), waiting(first), LockRow.FENCE));
        keys.add(over(first, request.id()));
        Arrays.stream(names).skip(1).map(SeveralLocks::lock).forEach(keys::add);
        List<String> args = new ArrayList<>(List.of("1", LockRow.inbox(request.id()), "" + recheck));
        args.add("" + pass);
        args.addAll(request.args());
        List<?> reply = LockRow.acquired(row.call(LuaScript.ACQUIRE, keys, args));
        String answer = String.join(" ", texts(((List<?>) reply.get(3)).get(0)));
        return new AcquireResult(
                (Long) reply.get(0), (String) reply.get(1), (List<?>) reply.get(2), List.of(answer), (Long)
                        reply.get(4));
    }

    EndResult end(String id, String... names) {
        return end(id, 0, 0, names);
    }

    EndResult end(String id, long mark, long keep, String... names) {
        String first = names[0];
        List<String> keys = new ArrayList<>(List.of(lock(first), queue(first), waiting(first), LockRow.FENCE));
        keys.add(over(first, id));
        Arrays.stream(names).skip(1).map(SeveralLocks::lock).forEach(keys::add);
        List<?> reply = LockRow.ended(row.call(LuaScript.END, keys, List.of("1", id, "" + mark, "" + keep)));
        lastEnd = reply;
        return new EndResult((String) reply.get(0), (List<?>) reply.get(1), (Long) reply.get(2));
    }

    /** Returns the token of the grant in the answer to the last end, or an empty text if there is none. */
    Object grantedToken() {
        return lastEnd.get(4);
    }

    List<?> renew(String id, long lease, String... names) {
        return row.call(
                LuaScript.RENEW,
                Stream.of(names).map(SeveralLocks::lock).toList(),
                List.of(id, "" + names.length, "" + lease));
    }

    /** Lets the lease of the holder of a lock expire. */
    void expire(String name) {
        redis.command("PEXPIRE", lock(name), "1");
        pause();
    }

    /** Waits longer than a request with a patience of 1 ms. */
    void pause() {
        row.awaitTime(row.time() + 2_000);
    }

    /** Waits until the next acquire of another request makes this request count as silent. */
    void awaitSilenceOf(String id, String name) {
        row.awaitTime(Waiter.parse(record(name, id)).number("alive") + 1_000);
    }

    Map<String, String> fields(String name) {
        return hash(lock(name));
    }

    String holder(String name) {
        return fields(name).getOrDefault("id", "none");
    }

    List<String> waiters(String name) {
        return texts(redis.command("ZRANGE", queue(name), "0", "-1"));
    }

    double arrival(String name, String id) {
        return Double.parseDouble(String.valueOf(redis.command("ZSCORE", queue(name), id)));
    }

    /** Returns the record of a waiter, or {@code null} if there is none. */
    String record(String name, String id) {
        return hash(waiting(name)).get(id);
    }

    Inbox subscribe(String id) {
        return row.subscribe(id);
    }

    String fence() {
        return row.fence();
    }

    long time() {
        return row.time();
    }

    private Map<String, String> hash(String key) {
        Map<String, String> fields = new HashMap<>();
        List<String> flat = texts(redis.command("HGETALL", key));
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(flat.get(i), flat.get(i + 1));
        }
        return fields;
    }

    private static List<String> texts(Object reply) {
        return ((List<?>) reply).stream().map(String::valueOf).toList();
    }
}
