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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Calls the scripts for one or several lock names, and reads the resulting keys. */
final class SeveralLocks {

    /** A patience that no test outlasts. */
    static final long PATIENT = 600_000;

    private final RedisView redis;
    private final LockRow row;
    private final StoredState stored;
    private final Map<String, String> records = new HashMap<>();
    private List<?> lastEnd = List.of();

    SeveralLocks(RedisView redis) {
        this.redis = redis;
        this.row = new LockRow(redis);
        this.stored = new StoredState(redis);
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
        List<String> locks = Stream.of(names).map(SeveralLocks::lock).toList();
        List<String> keys = new ArrayList<>(List.of(lock(first), queue(first), waiting(first), LockRow.FENCE));
        keys.add(over(first, request.id()));
        keys.addAll(locks.subList(1, locks.size()));
        String record = locks.size() > 1 ? request.record(pass, locks) : request.record();
        records.put(request.id(), record);
        List<String> args = List.of(
                recheck + " " + LockRow.inbox(request.id()), request.kind().charAt(0) + record);
        return LockRow.result(row.call(LuaScript.ACQUIRE, keys, args));
    }

    /** Acquires locks for one request, each in the mode before its name: {@code s orders}. */
    AcquireResult acquireMixed(long pass, Request request, String... modesAndNames) {
        List<String> names =
                Stream.of(modesAndNames).map(one -> one.substring(2)).toList();
        String first = names.get(0);
        List<String> keys = new ArrayList<>(List.of(lock(first), queue(first), waiting(first), LockRow.FENCE));
        keys.add(over(first, request.id()));
        names.stream().skip(1).map(SeveralLocks::lock).forEach(keys::add);
        String locks = Stream.of(modesAndNames)
                .map(one -> one.substring(0, 2) + lock(one.substring(2)))
                .collect(Collectors.joining(" "));
        String record = request.shared().record() + " " + pass + " " + locks;
        records.put(request.id(), record);
        List<String> args = List.of(
                LockRow.RECHECK + " " + LockRow.inbox(request.id()),
                request.kind().charAt(0) + record);
        return LockRow.result(row.call(LuaScript.ACQUIRE, keys, args));
    }

    EndResult end(String id, String... names) {
        return end(id, 0, 0, names);
    }

    EndResult end(String id, long mark, long keep, String... names) {
        String first = names[0];
        List<String> keys = new ArrayList<>(List.of(lock(first), queue(first), waiting(first), LockRow.FENCE));
        keys.add(over(first, id));
        Arrays.stream(names).skip(1).map(SeveralLocks::lock).forEach(keys::add);
        List<String> args = List.of(id, mark + " " + keep, records.getOrDefault(id, ""));
        List<?> reply = LockRow.ended(row.call(LuaScript.RELEASE, keys, args));
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
    void silence(String id, String name) {
        stored.silence(waiting(name), id, row.time());
    }

    Map<String, String> fields(String name) {
        return stored.lock(lock(name));
    }

    String holder(String name) {
        return fields(name).getOrDefault("id", "none");
    }

    List<String> waiters(String name) {
        return stored.waiters(queue(name));
    }

    double arrival(String name, String id) {
        return stored.arrival(queue(name), id);
    }

    /** Returns the record of a waiter, or {@code null} if there is none. */
    @Nullable
    String record(String name, String id) {
        return stored.record(queue(name), id);
    }

    /** Returns what is known of the process of a request. */
    WaitingProcess process(String name, String id) {
        return stored.process(waiting(name), id);
    }

    /** Returns the time of the last recheck, and the time since which rechecks have come without a pause. */
    String run(String name) {
        return String.valueOf(redis.command("HGET", waiting(name), "run"));
    }

    /** Returns all keys except those of processes that once waited, each of which must expire. */
    List<String> keys() {
        return stored.keys();
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
}
