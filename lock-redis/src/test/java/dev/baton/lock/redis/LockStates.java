package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.WAIT;
import static dev.baton.lock.redis.LockRow.over;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

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
    /** The record of each request, which never changes. */
    private final Map<String, String> records = new HashMap<>();

    private String holder = "";
    /** The inbox of the calling process, which never changes. */
    private String inbox = "";

    LockStates(Random random) {
        this.random = random;
    }

    static Case acquire(LockRow.Request... requests) {
        List<String> keys = new ArrayList<>(List.of(LOCK, QUEUE, WAIT, FENCE));
        List<String> args = new ArrayList<>(List.of(process(LockRow.inbox("a:1"))));
        for (LockRow.Request request : requests) {
            keys.add(over(request.id()));
            args.add(request.argument());
        }
        return new Case(List.of(), keys, args);
    }

    static Case end(String id) {
        List<String> args = List.of(id, "0 0", waits(id).record());
        return new Case(List.of(), List.of(LOCK, QUEUE, WAIT, FENCE, over(id)), args);
    }

    static Case exchange(String id, LockRow.Request request) {
        List<String> args = List.of(id, "0", waits(id).record(), process(LockRow.inbox("a:1")), request.argument());
        return new Case(List.of(), List.of(LOCK, QUEUE, WAIT, FENCE, over(id), over(request.id())), args);
    }

    Case acquire() {
        begin();
        List<String> keys = new ArrayList<>(List.of(LOCK, QUEUE, WAIT, FENCE, over(ME)));
        String request = request(ME);
        List<String> args = new ArrayList<>(List.of(process(inbox), request));
        if (rarely()) {
            keys.add(over("a:3"));
            args.add(request("a:3"));
        } else if (rarely()) {
            String several = request + " 9000000000000 " + LOCK + " lock:lock:{orders.2}";
            keys.add("lock:lock:{orders.2}");
            args.set(1, several);
            records.put(ME, several.substring(1));
        }
        lock("c:9", ME, "", "none");
        queue(ME);
        return new Case(List.copyOf(commands), keys, args);
    }

    Case end() {
        begin();
        lock(ME, "c:9", "", "none");
        queue(ME);
        List<String> keys = new ArrayList<>(List.of(LOCK, QUEUE, WAIT, FENCE, over(ME)));
        if (rarely()) {
            keys.add("lock:lock:{orders.2}");
        }
        String how = any("0", "40000") + " " + any("0", "20000");
        return new Case(List.copyOf(commands), keys, List.of(ME, how, any(record(ME), "")));
    }

    Case exchange() {
        begin();
        String request = request(NEXT);
        lock(ME, NEXT, "c:9", "none");
        queue(any(ME, NEXT));
        List<String> keys = List.of(LOCK, QUEUE, WAIT, FENCE, over(ME), over(NEXT));
        List<String> args = List.of(ME, any("0", "40000"), any(record(ME), ""), process(inbox), request);
        return new Case(List.copyOf(commands), keys, args);
    }

    private void begin() {
        commands.clear();
        records.clear();
        inbox = any(LockRow.inbox("a:1"), "lock:inbox:deaf");
    }

    private void lock(String usual, String... holders) {
        holder = any(usual, holders);
        String text = any("2", "3") + " " + any("x", "q") + " " + holder + " 700 600 owner-c "
                + any("label%20\"c\"%20\\%20\u00fc", "label kept", "");
        if (rarely()) {
            text = any(text.substring(0, text.lastIndexOf(' ')), "2 x", "no lock", "");
        }
        if (!holder.equals("none")) {
            List<String> set = new ArrayList<>(List.of("SET", LOCK, text));
            set.addAll(rarely() ? List.of() : List.of("PX", "60000"));
            commands.add(random.nextDouble() > 0.98 ? List.of("HSET", LOCK, "mode", "x", "id", holder) : set);
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
        // a holder has left the queue
        if (rarely() && !stranger.equals(holder)) {
            ids.add(random.nextInt(ids.size() + 1), stranger);
        }
        long arrival = rarely() ? Long.parseLong(FAR) : 1_000;
        for (String id : ids) {
            String record = any(record(id), "no record", "17", "2 x", "3 x " + id + " 20000 -1 0 o l");
            commands.add(List.of("ZADD", QUEUE, Long.toString(arrival++), record));
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (String id : List.of("a:1", "b:1", "c:1")) {
            boolean waits = ids.stream().anyMatch(other -> other.startsWith(id.substring(0, 2)));
            if (waits != rarely()) {
                fields.put(id.substring(0, 2), any(processField(id), "no process", ""));
            }
        }
        String run = any("10 5 10000000", FAR + " 5 10000000", "10 10 5", FAR + " " + FAR + " 5", "10 5", "x", "none");
        if (!run.equals("none") && (!fields.isEmpty() || rarely())) {
            fields.put("run", run);
        }
        // the queue and the hash expire together
        String ttl = any("20000", "60000", "40000");
        if (!ids.isEmpty()) {
            commands.add(List.of("PEXPIRE", QUEUE, ttl));
            fields.putIfAbsent("z:", "5 5 5 m inbox");
        }
        if (!fields.isEmpty()) {
            List<String> command = new ArrayList<>(List.of("HSET", WAIT));
            fields.forEach((field, value) -> command.addAll(List.of(field, value)));
            commands.add(command);
            commands.add(List.of("PEXPIRE", WAIT, ttl));
        }
    }

    private String processField(String id) {
        return String.join(
                " ",
                any("9000000000000009", FAR, "10", "5", "x"),
                any("40000000", "5", "x"),
                any("5", FAR, "x"),
                any("m", "p", "q"),
                id.startsWith("a:") ? inbox : any(LockRow.inbox(id), "lock:inbox:deaf"));
    }

    private String record(String id) {
        return records.computeIfAbsent(id, this::anyRecord);
    }

    private String anyRecord(String id) {
        return String.join(
                        " ",
                        any("2 x", "2 q", "3 x"),
                        id,
                        any("20000", "40000", "x", "0"),
                        any("-1", "9000000000000", "5", "0", "x"),
                        any("0", "32", "x"),
                        any("owner-" + id, ""),
                        any("label%20/" + id, "", "%2520"))
                + any("", " later", " 5 " + LOCK, " 5", " 9000000000000 " + LOCK + " lock:lock:{orders.2}");
    }

    private String request(String id) {
        String kind = any("message", "poll", "try").substring(0, 1);
        String record = String.join(
                " ",
                "2 x",
                id,
                any("50000", "70000"),
                any("-1", "0", "30000"),
                any("0", "32"),
                "owner-" + id,
                any("label", "label%20\"q\"%20\\%20/%20\u00fc%20\u007f%20\n"));
        records.put(id, record);
        return kind + record;
    }

    private static String process(String inbox) {
        return "10000 " + inbox;
    }

    private boolean rarely() {
        return random.nextDouble() > USUAL;
    }

    private String any(String usual, String... others) {
        return rarely() ? others[random.nextInt(others.length)] : usual;
    }
}
