package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.WAIT;
import static dev.baton.lock.redis.LockRow.over;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Generates random states of a lock and calls of a script. Most are usual, and some are unusual in a few aspects. No
 * time in a state is near the clock, so that times written by a script differ from older times.
 */
final class LockStates {

    /** The calling request, and the request that replaces it in an exchange. */
    static final String ME = "a:1";

    static final String NEXT = "a:2";

    /** A waiter of the same process. */
    static final String OWN = "a:5";

    static final List<String> INBOXES = List.of(LockRow.inbox("a:1"), LockRow.inbox("b:1"), LockRow.inbox("c:1"));

    private static final String FAR = "9000000000000000";

    /** How often an aspect is usual. */
    private static final double USUAL = 0.85;

    private static final double NEARLY_ALWAYS = 0.95;

    /**
     * A state and a call.
     *
     * @param commands the commands that create the state on an empty server; empty to keep the present state
     * @param keys the keys of the call
     * @param args the arguments of the call
     */
    record Case(List<List<String>> commands, List<String> keys, List<String> args) {

        /** Returns the same call in another state. */
        Case after(List<List<String>> others) {
            return new Case(others, keys, args);
        }
    }

    private final Random random;
    private final List<List<String>> commands = new ArrayList<>();
    private String holder = "";

    LockStates(Random random) {
        this.random = random;
    }

    static Case acquire(LockRow.Request... requests) {
        List<String> keys = new ArrayList<>(List.of(LOCK, QUEUE, WAIT, FENCE));
        List<String> args = new ArrayList<>(List.of("1", LockRow.inbox("a:1"), "10000", "0"));
        for (LockRow.Request request : requests) {
            keys.add(over(request.id()));
            args.addAll(request.args());
        }
        return new Case(List.of(), keys, args);
    }

    static Case end(String id) {
        return new Case(List.of(), List.of(LOCK, QUEUE, WAIT, FENCE, over(id)), List.of("1", id, "0", "0"));
    }

    static Case exchange(String id, LockRow.Request request) {
        List<String> args = new ArrayList<>(List.of("1", id, "0", LockRow.inbox("a:1"), "10000"));
        args.addAll(request.args());
        return new Case(List.of(), List.of(LOCK, QUEUE, WAIT, FENCE, over(id), over(request.id())), args);
    }

    Case acquire() {
        commands.clear();
        lock("c:9", ME, "", "none");
        queue(ME);
        List<String> keys = new ArrayList<>(List.of(LOCK, QUEUE, WAIT, FENCE, over(ME)));
        List<String> args = new ArrayList<>(List.of(receivers(), inbox(), "10000", "0"));
        args.addAll(request(ME));
        if (rarely()) {
            keys.add(over("a:3"));
            args.addAll(request("a:3"));
        } else if (rarely()) {
            keys.add("lock:lock:{orders.2}");
        }
        return new Case(List.copyOf(commands), keys, args);
    }

    /** Returns an acquire for several requests, most of which are in the queue. */
    Case acquireAgain() {
        commands.clear();
        lock("c:9", ME, "a:3", "", "none");
        queue(ME);
        List<String> keys = new ArrayList<>(List.of(LOCK, QUEUE, WAIT, FENCE));
        List<String> args = new ArrayList<>(List.of(receivers(), inbox(), "10000", "0"));
        for (String id : List.of(ME, "a:3", NEXT).subList(0, 2 + random.nextInt(2))) {
            keys.add(over(id));
            args.addAll(request(id));
            if (random.nextDouble() < NEARLY_ALWAYS) {
                commands.add(List.of("ZADD", QUEUE, any("2000", "500"), id));
                commands.add(List.of("HSET", WAIT, id, record(id)));
            }
        }
        return new Case(List.copyOf(commands), keys, args);
    }

    Case end() {
        commands.clear();
        lock(ME, "c:9", "", "none");
        queue(ME);
        List<String> keys = new ArrayList<>(List.of(LOCK, QUEUE, WAIT, FENCE, over(ME)));
        if (rarely()) {
            keys.add("lock:lock:{orders.2}");
        }
        return new Case(List.copyOf(commands), keys, List.of(receivers(), ME, any("0", "40000"), any("0", "20000")));
    }

    Case exchange() {
        commands.clear();
        lock(ME, NEXT, "c:9", "none");
        queue(any(ME, NEXT));
        List<String> keys = List.of(LOCK, QUEUE, WAIT, FENCE, over(ME), over(NEXT));
        List<String> args = new ArrayList<>(List.of(receivers(), ME, any("0", "40000"), inbox(), "10000"));
        args.addAll(request(NEXT));
        return new Case(List.copyOf(commands), keys, args);
    }

    private void lock(String usual, String... holders) {
        Map<String, String> fields = new LinkedHashMap<>();
        holder = any(usual, holders);
        fields.put("mode", any("x", "s"));
        fields.put("id", holder);
        fields.put("token", "700");
        fields.put("owner", "owner-c");
        fields.put("label", "label \"c\" \\ ü");
        fields.put("since", "600");
        fields.put("later", "kept");
        if (rarely()) {
            fields.remove(any("id", "mode", "token", "owner", "label", "since"));
        }
        if (!holder.equals("none")) {
            hash(LOCK, fields, any("60000", "-1"));
        }
        String fence = any("800", FAR, "none");
        if (!fence.equals("none")) {
            commands.add(List.of("SET", FENCE, fence));
        }
        if (rarely()) {
            commands.add(List.of("SET", over(any(ME, NEXT)), "1", "PX", "60000"));
        }
    }

    /** Adds up to three waiters, the first often of the calling process, and sometimes an invalid waiter. */
    private void queue(String stranger) {
        String first = random.nextBoolean() ? "b:1" : OWN;
        List<String> ids = new ArrayList<>(List.of(first, "c:1", "c:2").subList(0, random.nextInt(4)));
        if (rarely()) {
            ids.add(random.nextInt(ids.size() + 1), stranger);
        }
        Map<String, String> records = new LinkedHashMap<>();
        long arrival = rarely() ? Long.parseLong(FAR) : 1_000;
        for (String id : ids) {
            commands.add(List.of("ZADD", QUEUE, Long.toString(arrival++), id));
            // the holder has left the queue, or is in the queue with a complete record
            if (!rarely() || id.equals(holder)) {
                records.put(id, any(record(id), "no json", "17", "null", "{}"));
            }
        }
        if (!ids.isEmpty()) {
            expire(QUEUE, any("20000", "60000", "-1"));
        }
        String seen = any("10", FAR, "none");
        if (!seen.equals("none") && (!ids.isEmpty() || rarely())) {
            records.put("seen", seen);
        }
        if (!records.isEmpty()) {
            hash(WAIT, records, any("20000", "60000", "-1"));
        }
    }

    private String record(String id) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("v", "1");
        fields.put("kind", any("message", "poll", "later"));
        fields.put("lease", any("20000", "40000", "x"));
        fields.put("deadline", any("0", FAR, "5", "x"));
        fields.put("alive", any("9000000000000009", FAR, "10", "5", "x"));
        fields.put("inbox", any(LockRow.inbox(id), "lock:inbox:deaf"));
        fields.put("owner", "owner-" + id);
        fields.put("label", "label/" + id);
        String asks = any("none", FAR, "5", "x");
        if (!asks.equals("none")) {
            fields.put("asks", asks);
        }
        String reserve = any("none", "32", "x");
        if (!reserve.equals("none")) {
            fields.put("reserve", reserve);
        }
        fields.put("later", "kept");
        if (rarely()) {
            fields.remove(any("lease", "deadline", "alive", "inbox", "owner", "label", "kind"));
        }
        String names = any("", ",\"names\":[\"" + LOCK + "\"],\"pass\":\"5\"", ",\"names\":\"x\"", ",\"since9\":{}");
        return fields.entrySet().stream()
                .map(field -> "\"%s\":\"%s\"".formatted(field.getKey(), field.getValue()))
                .collect(Collectors.joining(",", "{", names + "}"));
    }

    private List<String> request(String id) {
        return List.of(
                id,
                any("message", "poll", "try"),
                any("50000", "70000"),
                any("-1", "0", "30000"),
                "owner-" + id,
                any("label", "label \"q\" \\ / ü \u007f \n"),
                any("0", "32"));
    }

    private String receivers() {
        return any("1", "0");
    }

    private String inbox() {
        return any(LockRow.inbox("a:1"), "lock:inbox:deaf");
    }

    private void hash(String key, Map<String, String> fields, String ttl) {
        List<String> command = new ArrayList<>(List.of("HSET", key));
        fields.forEach((field, value) -> command.addAll(List.of(field, value)));
        commands.add(command);
        expire(key, ttl);
    }

    private void expire(String key, String ttl) {
        if (!ttl.equals("-1")) {
            commands.add(List.of("PEXPIRE", key, ttl));
        }
    }

    private boolean rarely() {
        return random.nextDouble() > USUAL;
    }

    private String any(String usual, String... others) {
        return rarely() ? others[random.nextInt(others.length)] : usual;
    }
}
