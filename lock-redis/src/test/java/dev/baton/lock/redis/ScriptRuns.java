package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.WAIT;

import dev.baton.lock.harness.RedisErrorException;
import dev.baton.lock.harness.RedisView;
import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.redis.LockStates.Case;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Runs scripts on states, and describes their effects independently of the time. */
final class ScriptRuns implements AutoCloseable {

    private static final long HOUR = 3_600_000_000L;
    private static final Pattern NUMBER = Pattern.compile("\\d{13,17}");

    /** The keys of the lock, each with its expiry. */
    private static final List<List<String>> STATE = List.of(
            List.of("GET", LOCK),
            List.of("PTTL", LOCK),
            List.of("ZRANGE", QUEUE, "0", "-1", "WITHSCORES"),
            List.of("PTTL", QUEUE),
            List.of("HGETALL", WAIT),
            List.of("PTTL", WAIT),
            List.of("GET", FENCE),
            List.of("PTTL", FENCE),
            List.of("PTTL", LockRow.over(LockStates.ME)),
            List.of("DBSIZE"));

    private final RespConnection connection;
    private final RespConnection inboxes;

    ScriptRuns(RedisView redis, List<String> channels) {
        connection = redis.connect();
        inboxes = redis.connect();
        channels.forEach(channel -> inboxes.command("SUBSCRIBE", channel));
    }

    /** Loads a script. Returns its name. */
    String load(String text) {
        return String.valueOf(connection.command("SCRIPT", "LOAD", text));
    }

    /** Returns the answer, the messages and the keys after a script. */
    String run(String sha, Case each) {
        // all commands before the first answer: thousands of cases would mostly wait for answers
        sendState(each);
        connection.send("TIME");
        sendCall(sha, each);
        connection.send("TIME");
        sendQuestions();
        readState(each);
        long before = time();
        Object answer = full(answerOfScript());
        long after = time();
        List<@Nullable Object> state = answers();
        List<@Nullable Object> seen = new ArrayList<>();
        seen.add(answer);
        seen.add(messages());
        seen.addAll(state);
        long moment = numbers(String.valueOf(seen))
                .filter(number -> number >= before && number <= after)
                .min()
                .orElse(before);
        return text(seen, moment);
    }

    /** Returns whether the usual cases leave a state to the general script. If so, they must not change the state. */
    boolean isGeneral(String sha, Case each) {
        sendState(each);
        sendQuestions();
        sendCall(sha, each);
        sendQuestions();
        readState(each);
        List<@Nullable Object> before = answers();
        boolean general = "general".equals(answerOfScript());
        List<@Nullable Object> after = answers();
        messages();
        if (general && !withoutLease(after).equals(withoutLease(before))) {
            throw new AssertionError("Changed, although left to the general script: " + each + ": " + after);
        }
        return general;
    }

    /** Returns the answer, which may be an error. */
    Object call(String sha, Case each) {
        sendCall(sha, each);
        return answerOfScript();
    }

    private void sendCall(String sha, Case each) {
        List<String> command =
                new ArrayList<>(List.of("EVALSHA", sha, "" + each.keys().size()));
        command.addAll(each.keys());
        command.addAll(each.args());
        connection.send(command.toArray(String[]::new));
    }

    private Object answerOfScript() {
        try {
            return Objects.requireNonNull(connection.read());
        } catch (RedisErrorException ex) {
            return "error";
        }
    }

    /** Converts a short answer to the answer without the usual cases. */
    private static Object full(Object reply) {
        if (!(reply instanceof List<?> list) || list.size() > 1) {
            return reply;
        }
        boolean token = NUMBER.matcher(String.valueOf(list.get(0))).matches();
        return token ? LockRow.acquired(list) : LockRow.ended(list);
    }

    private void sendState(Case each) {
        connection.send("FLUSHALL");
        each.commands().forEach(command -> connection.send(command.toArray(String[]::new)));
    }

    private void readState(Case each) {
        for (int i = 0; i <= each.commands().size(); i++) {
            connection.read();
        }
    }

    private void sendQuestions() {
        STATE.forEach(command -> connection.send(command.toArray(String[]::new)));
    }

    private List<@Nullable Object> answers() {
        List<@Nullable Object> state = new ArrayList<>();
        for (List<String> command : STATE) {
            Object reply = answer();
            state.add(command.get(0).equals("HGETALL") ? new TreeMap<>(fields(reply)) : reply);
        }
        return state;
    }

    /** Returns the next answer, which is an error if a test has written a hash instead of a lock. */
    private @Nullable Object answer() {
        try {
            return connection.read();
        } catch (RedisErrorException ex) {
            return ex.getMessage();
        }
    }

    private static Map<String, String> fields(@Nullable Object flat) {
        List<?> list = (List<?>) Objects.requireNonNull(flat);
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i < list.size(); i += 2) {
            fields.put(String.valueOf(list.get(i)), String.valueOf(list.get(i + 1)));
        }
        return fields;
    }

    /** Returns the state without expiries: that of the lock may have changed, and the others run down. */
    private static String withoutLease(List<@Nullable Object> state) {
        return String.valueOf(
                state.stream().filter(each -> !(each instanceof Long)).toList());
    }

    private List<@Nullable Object> messages() {
        List<@Nullable Object> messages = new ArrayList<>();
        // the answer to a ping follows all messages published before
        inboxes.send("PING");
        for (List<?> push = push(); !"pong".equals(push.get(0)); push = push()) {
            messages.add(push);
        }
        return messages;
    }

    private List<?> push() {
        return (List<?>) Objects.requireNonNull(inboxes.read());
    }

    /** Returns the answer to a TIME in microseconds. */
    private long time() {
        List<?> time = (List<?>) Objects.requireNonNull(connection.read());
        return Long.parseLong(String.valueOf(time.get(0))) * 1_000_000 + Long.parseLong(String.valueOf(time.get(1)));
    }

    private static LongStream numbers(String text) {
        return NUMBER.matcher(text).results().mapToLong(found -> Long.parseLong(found.group()));
    }

    /** Describes times of the clock relative to the moment of the script, and remaining leases approximately. */
    private static String text(@Nullable Object value, long moment) {
        if (value instanceof List<?> list) {
            return list.stream().map(each -> text(each, moment)).toList().toString();
        }
        if (value instanceof Long number && number > 1_000 && number < HOUR) {
            return "about " + Math.round(number / 10_000.0) * 10 + " s";
        }
        return NUMBER.matcher(String.valueOf(value)).replaceAll(found -> relative(found.group(), moment));
    }

    private static String relative(String digits, long moment) {
        long number = Long.parseLong(digits);
        if (Math.abs(number - moment) < HOUR) {
            // a token is made even or odd, so it may be greater by one
            return "now%+d".formatted(Math.floorDiv(number - moment, 2) * 2);
        }
        return Math.abs(number * 1_000 - moment) < HOUR ? "held" : digits;
    }

    @Override
    public void close() {
        connection.close();
        inboxes.close();
    }
}
