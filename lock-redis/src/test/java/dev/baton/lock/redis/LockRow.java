package dev.baton.lock.redis;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.script.LuaScript;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Calls the scripts for one lock name, through a client other than that of the store, and reads the resulting keys. */
final class LockRow {

    static final String LOCK = "lock:lock:{orders.1}";
    static final String QUEUE = "lock:queue:{orders.1}";
    static final String WAIT = "lock:wait:{orders.1}";
    static final String FENCE = "lock:fence";

    static final long LEASE = 60_000;
    static final long RECHECK = 10_000;

    private final RedisView redis;
    private final StoredState stored;
    /** The names of the scripts that this row has called. A test calls few of them, and loading one takes long. */
    private final Map<LuaScript, String> loaded = new HashMap<>();
    /** The records of the requests that were acquired last, by id. */
    private final Map<String, String> records;

    private List<?> lastEnd = List.of();

    private long recheck = RECHECK;
    private String user = "default";

    LockRow(RedisView redis) {
        this(redis, new HashMap<>());
    }

    private LockRow(RedisView redis, Map<String, String> records) {
        this.redis = redis;
        this.stored = new StoredState(redis);
        this.records = records;
    }

    /** Returns the same name, called by a process with this recheck interval. */
    LockRow recheck(long millis) {
        LockRow row = new LockRow(redis, records);
        row.recheck = millis;
        return row;
    }

    /** Returns the same name, called by a Redis user with exactly these rules. */
    LockRow as(String user, String... rules) {
        List<String> setUser = new ArrayList<>(List.of("ACL", "SETUSER", user, "reset", "on", "nopass"));
        Stream.of(rules).flatMap(rule -> Stream.of(rule.split(" "))).forEach(setUser::add);
        redis.command(setUser.toArray(String[]::new));
        LockRow row = new LockRow(redis, records);
        row.user = user;
        return row;
    }

    /** One request of an acquire. The default is a lease of {@link #LEASE} and an unbounded wait. */
    record Request(String id, String kind, long lease, long patience, long reserve, String mode, String tail) {

        Request(String id, String kind, long lease, long patience) {
            this(id, kind, lease, patience, 0, "x", "");
        }

        /** Returns the same request in shared mode. */
        Request shared() {
            return new Request(id, kind, lease, patience, reserve, "s", "");
        }

        /** Returns the same request for permits, which others may pass for the given milliseconds. */
        Request permits(int count, int size, long pass) {
            return new Request(id, kind, lease, patience, reserve, "p", " " + pass + " " + count + " " + size);
        }

        static Request tries(String id) {
            return new Request(id, "try", LEASE, 0);
        }

        static Request waits(String id) {
            return new Request(id, "message", LEASE, -1);
        }

        static Request polls(String id) {
            return new Request(id, "poll", LEASE, -1);
        }

        Request lease(long millis) {
            return new Request(id, kind, millis, patience, reserve, mode, tail);
        }

        Request patience(long millis) {
            return new Request(id, kind, lease, millis, reserve, mode, tail);
        }

        Request reserve(long tokens) {
            return new Request(id, kind, lease, patience, tokens, mode, tail);
        }

        /** Returns the argument that describes this request: its kind, and its record. */
        String argument() {
            return kind.charAt(0) + record();
        }

        /** Returns the record of this request for one lock. */
        String record() {
            String before = String.join(
                    " ", "2", mode, id, "" + lease, "" + patience, "" + reserve, escaped(owner()), escaped(label()));
            return before + tail;
        }

        /** Returns the record of this request for several locks. */
        String record(long pass, List<String> locks) {
            return record() + " " + pass + " "
                    + locks.stream().map(LockRow::escaped).collect(Collectors.joining(" "));
        }

        String owner() {
            return "owner-" + id;
        }

        String label() {
            return "label \"" + id + "\" \\ ü";
        }
    }

    /** The reply of an acquire. Answers are texts such as {@code granted 1764 0}. */
    record AcquireResult(long more, String mark, List<?> holder, List<String> answers, long deaf, long fresh) {

        String answer() {
            return answers.get(0);
        }

        /** Returns the token of the first answer, which must be a grant. */
        String token() {
            return answers.get(0).split(" ")[1];
        }
    }

    /** The reply of an end. */
    record EndResult(String what, long more) {}

    static String inbox(String id) {
        return new RedisKeys("lock").inbox(id.replaceFirst(":[^:]*$", ""));
    }

    static String over(String id) {
        return "lock:over:{orders.1}:" + id;
    }

    /** Acquires for requests of one process, which is that of the first request. */
    AcquireResult acquire(Request... requests) {
        List<String> keys = new ArrayList<>(List.of(LOCK, QUEUE, WAIT, FENCE));
        List<String> args = new ArrayList<>(List.of(process(requests[0].id())));
        for (Request request : requests) {
            keys.add(over(request.id()));
            args.add(request.argument());
            records.put(request.id(), request.record());
        }
        return result(list(evalsha(LuaScript.ACQUIRE, keys, args)));
    }

    /** Reads a reply of acquire. */
    static AcquireResult result(List<?> answered) {
        List<?> reply = acquired(answered);
        List<String> answers = list(reply.get(3)).stream().map(LockRow::joined).toList();
        return new AcquireResult(
                (Long) reply.get(0),
                (String) reply.get(1),
                holder(list(reply.get(2))),
                answers,
                (Long) reply.get(4),
                (Long) reply.get(5));
    }

    /** Returns the id, token, owner, label, milliseconds held, and remaining milliseconds of a holder in a reply. */
    static List<?> holder(List<?> reply) {
        if (reply.isEmpty()) {
            return reply;
        }
        Map<String, String> lock = StoredState.fields((String) reply.get(0));
        long held = ((Long) reply.get(1) - Long.parseLong(lock.get("since"))) / 1_000;
        return List.of(
                lock.get("id"), lock.get("token"), lock.get("owner"), lock.get("label"), held, (Long) reply.get(2));
    }

    private String process(String id) {
        return recheck + " " + inbox(id);
    }

    /** Converts a reply of acquire, which may be the short reply of its usual case. */
    static List<?> acquired(List<?> reply) {
        if (reply.size() > 1) {
            return reply;
        }
        String token = (String) reply.get(0);
        return List.of(0L, token, List.of(), List.of(List.of("granted", token, 0L)), 0L, 0L);
    }

    /** Converts a reply of release, which may be the short reply of its usual case. */
    static List<?> ended(List<?> reply) {
        return reply.size() > 1 ? reply : List.of(reply.get(0), List.of(), 0L, List.of(), "");
    }

    /** The reply of an exchange. The answer is a text such as {@code granted 1764 0}. */
    record ExchangeResult(
            String what, long more, String mark, List<?> holder, String answer, long deaf, List<?> next) {}

    /** Ends a request, and acquires for another request of its process. */
    ExchangeResult exchange(String id, Request request) {
        return exchange(id, 0, request);
    }

    ExchangeResult exchange(String id, long mark, Request request) {
        List<String> keys = List.of(LOCK, QUEUE, WAIT, FENCE, over(id), over(request.id()));
        List<String> args = List.of(id, "" + mark, recordOf(id), process(request.id()), request.argument());
        records.put(request.id(), request.record());
        List<?> reply = list(evalsha(LuaScript.EXCHANGE, keys, args));
        return new ExchangeResult(
                (String) reply.get(0),
                (Long) reply.get(1),
                (String) reply.get(2),
                holder(list(reply.get(3))),
                joined(reply.get(4)),
                (Long) reply.get(5),
                list(reply.get(6)));
    }

    /** Ends a request without an unanswered acquire. */
    EndResult end(String id) {
        return end(id, 0);
    }

    EndResult end(String id, long mark) {
        return end(id, mark, 0);
    }

    /** Ends a request, and keeps its lock from others for the given milliseconds. */
    EndResult end(String id, long mark, long keep) {
        List<String> keys = List.of(LOCK, QUEUE, WAIT, FENCE, over(id));
        List<?> reply = ended(list(evalsha(LuaScript.RELEASE, keys, List.of(id, how(mark, keep), recordOf(id)))));
        if (!list(reply.get(1)).isEmpty()) {
            throw new AssertionError("One lock is held or not, it is never missing: " + reply);
        }
        lastEnd = reply;
        return new EndResult((String) reply.get(0), (Long) reply.get(2));
    }

    private String how(long mark, long keep) {
        return mark + " " + keep;
    }

    /** Returns the record of a request that was acquired, or an empty text. */
    String recordOf(String id) {
        return records.getOrDefault(id, "");
    }

    /** Returns the ids of the requests to which the last end has handed the lock. */
    List<?> handedTo() {
        return list(lastEnd.get(3));
    }

    /** Returns the token of the grant in the answer to the last end, or an empty text if there is none. */
    @Nullable
    Object grantedToken() {
        return lastEnd.get(4);
    }

    /** Returns the holder, the number of waiters, at most the given number of waiters, and the time. */
    List<?> inspect(int most) {
        List<?> reply = call(LuaScript.INSPECT, List.of(LOCK, QUEUE), List.of("" + most));
        return List.of(holder(list(reply.get(0))), reply.get(1), reply.get(2), reply.get(3));
    }

    /** Returns the keys that match a pattern, and the cursor of the next scan. */
    List<?> scan(String cursor, String pattern, int count) {
        return call(LuaScript.SCAN, List.of(), List.of(cursor, pattern, "" + count));
    }

    /** Force-releases the lock. Returns the former state and the holder. */
    List<?> forceRelease() {
        List<String> args = List.of("lock:inbox:");
        List<?> reply = call(LuaScript.FORCE_RELEASE, List.of(LOCK, QUEUE, WAIT, FENCE), args);
        return List.of(reply.get(0), holder(list(reply.get(1))));
    }

    /** Renews the lease of a request. Returns 1 if the request is the holder. */
    @Nullable
    Object renew(String id, long lease) {
        return list(renewAll(List.of(LOCK), List.of(id, "1", "" + lease))).get(0);
    }

    /** Renews several leases, each given by its id, its number of locks, and its length. */
    @Nullable
    Object renewAll(List<String> locks, List<String> leases) {
        return evalsha(LuaScript.RENEW, locks, leases);
    }

    /** Queues two waiters: a silent one, and behind it one that has just asked. */
    void silentThenLive(String silent) {
        acquire(Request.waits("z:1"));
        acquire(Request.waits(silent));
        end("z:1");
        silence(silent);
        acquire(Request.waits("b:1"));
    }

    /** Makes the process of a request silent for the next recheck of another. */
    void silence(String id) {
        stored.silence(WAIT, id, time());
    }

    /** Queues the given number of waiters, in batches of one process each. */
    void queue(int count, IntFunction<Request> request) {
        for (int from = 0; from < count; from += 256) {
            Stream<Request> batch =
                    IntStream.range(from, Math.min(count, from + 256)).mapToObj(request);
            acquire(batch.toArray(Request[]::new));
        }
    }

    /** Lets the lease of the holder expire. */
    void expire() {
        redis.command("PEXPIRE", LOCK, "1");
        awaitTime(time() + 2_000);
    }

    /** Returns the fields of the lock, which has none if it is free. */
    Map<String, String> lock() {
        return stored.lock(LOCK);
    }

    /** Overwrites the lock with a text, and keeps its expiry. */
    void writeLock(String text) {
        redis.command("SET", LOCK, text, "KEEPTTL");
    }

    /** Overwrites the mode of the lock. */
    void writeMode(String mode) {
        writeLock(String.valueOf(redis.command("GET", LOCK)).replaceFirst("^2 x ", "2 " + mode + " "));
    }

    String holder() {
        return lock().getOrDefault("id", "none");
    }

    /** Returns the ids of the waiters by arrival. */
    List<String> queue() {
        return stored.waiters(QUEUE);
    }

    double arrival(String id) {
        return stored.arrival(QUEUE, id);
    }

    /** Returns the processes that wait, and the time of the last recheck. */
    Map<String, String> waiting() {
        return stored.hash(WAIT);
    }

    /** Returns the record of a waiter in the queue, or {@code null} if there is none. */
    @Nullable
    String waiter(String id) {
        return stored.record(QUEUE, id);
    }

    /** Replaces the record of a waiter, which keeps its place. */
    void replaceWaiter(String id, String record) {
        String arrival = String.valueOf(redis.command("ZSCORE", QUEUE, waiter(id)));
        redis.command("ZREM", QUEUE, waiter(id));
        redis.command("ZADD", QUEUE, arrival, record);
    }

    /** Returns what is known of the process of a request. */
    WaitingProcess processOf(String id) {
        return stored.process(WAIT, id);
    }

    /** Replaces what is known of the process of a request. */
    void replaceProcess(String id, String text) {
        redis.command("HSET", WAIT, field(id), text);
    }

    /** Returns the field of the process of a request. */
    static String field(String id) {
        return id.substring(0, id.lastIndexOf(':') + 1);
    }

    List<String> keys() {
        return stored.keys();
    }

    String fence() {
        return String.valueOf(redis.command("GET", FENCE));
    }

    /** Returns the clock of the server in microseconds. */
    long time() {
        List<?> time = list(redis.command("TIME"));
        return Long.parseLong((String) time.get(0)) * 1_000_000 + Long.parseLong((String) time.get(1));
    }

    /** Waits until the clock of the server has reached this time. */
    void awaitTime(long micros) {
        while (time() <= micros) {
            Thread.onSpinWait();
        }
    }

    /** Subscribes to the inbox of the process of this request. */
    Inbox subscribe(String id) {
        return new Inbox(redis.connect(), inbox(id));
    }

    Inbox subscribeTo(String channel) {
        return new Inbox(redis.connect(), channel);
    }

    /** A subscribed connection. */
    static final class Inbox implements AutoCloseable {

        private final RespConnection connection;

        private Inbox(RespConnection connection, String channel) {
            this.connection = connection;
            connection.command("SUBSCRIBE", channel);
        }

        /** Returns the messages published since the last call. */
        List<String> messages() {
            List<String> messages = new ArrayList<>();
            // the answer to a ping follows all messages published before
            connection.send("PING");
            for (List<?> push = list(connection.read()); !push.get(0).equals("pong"); push = list(connection.read())) {
                messages.add((String) push.get(2));
            }
            return messages;
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    /** Calls a script with keys beyond those of this name. */
    List<?> call(LuaScript script, List<String> keys, List<String> args) {
        return list(evalsha(script, keys, args));
    }

    private @Nullable Object evalsha(LuaScript script, List<String> keys, List<String> args) {
        String sha = loaded.computeIfAbsent(
                script, one -> String.valueOf(redis.command("SCRIPT", "LOAD", ScriptTexts.of(one))));
        String[] command = Stream.of(List.of("EVALSHA", sha, "" + keys.size()), keys, args)
                .flatMap(List::stream)
                .toArray(String[]::new);
        try (RespConnection connection = redis.connect()) {
            connection.command("AUTH", user, "");
            return connection.command(command);
        }
    }

    /** Escapes a free text, independently of the store. */
    static String escaped(String text) {
        return text.replace("%", "%25").replace(" ", "%20");
    }

    private static List<String> texts(@Nullable Object reply) {
        return list(reply).stream().map(String::valueOf).toList();
    }

    private static String joined(@Nullable Object reply) {
        return String.join(" ", texts(reply));
    }

    private static List<?> list(@Nullable Object reply) {
        if (reply instanceof List<?> list) {
            return list;
        }
        throw new AssertionError("Not a list: " + reply);
    }
}
