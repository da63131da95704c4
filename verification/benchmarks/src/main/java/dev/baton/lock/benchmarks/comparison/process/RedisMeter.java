package dev.baton.lock.benchmarks.comparison.process;

import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.harness.TestRedis;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The CPU time that Redis has used, the bytes that clients have exchanged with it, and what it tells of keys. For one
 * thread at a time.
 */
public final class RedisMeter implements AutoCloseable {

    private static final Pattern CPU = Pattern.compile("(?m)^used_cpu_(?:sys|user):([0-9.]+)");

    private static final Pattern RECEIVED = Pattern.compile("(?m)^total_net_input_bytes:(\\d+)");
    private static final Pattern SENT = Pattern.compile("(?m)^total_net_output_bytes:(\\d+)");

    private final RespConnection connection;
    /** The bytes of the meter's own commands. */
    private long ownCommands;
    /** The bytes of the replies to them. */
    private long ownReplies;

    private boolean events;

    /** Connects, and has Redis tell of nothing. */
    public RedisMeter(TestRedis redis) {
        this.connection = redis.connect();
        set("");
    }

    /** The CPU time so far in microseconds; asking for it costs some as well. */
    public double cpuMicros() {
        Matcher part = CPU.matcher(command("INFO", "cpu"));
        double seconds = 0;
        while (part.find()) {
            seconds += Double.parseDouble(part.group(1));
        }
        return seconds * 1e6;
    }

    /** Returns the bytes so far of all clients but this one. */
    public Traffic traffic() {
        long repliesBefore = ownReplies;
        String stats = command("INFO", "stats");
        // Redis has counted this command when it writes the reply, but not yet the reply
        return new Traffic(number(RECEIVED, stats) - ownCommands, number(SENT, stats) - repliesBefore);
    }

    private static long number(Pattern line, String stats) {
        Matcher found = line.matcher(stats);
        if (!found.find()) {
            throw new IllegalStateException("INFO stats has no line " + line);
        }
        return Long.parseLong(found.group(1));
    }

    /** Sends a command and counts its bytes, and those of the reply: one of these commands replies with {@code +OK}. */
    private String command(String... args) {
        ownCommands += prefix(args.length);
        for (String arg : args) {
            ownCommands += bulk(arg.length());
        }
        String reply = String.valueOf(connection.command(args));
        ownReplies += reply.equals("OK") ? "+OK\r\n".length() : bulk(reply.length());
        return reply;
    }

    /** The length of {@code *3\r\n} or {@code $3\r\n}. */
    private static long prefix(int count) {
        return Integer.toString(count).length() + 3L;
    }

    private static long bulk(int length) {
        return prefix(length) + length + 2;
    }

    /** Has Redis tell of the changes of keys from now on, or not. */
    public void keyspaceEvents(boolean wanted) {
        if (wanted != events) {
            set(wanted ? "Kgx" : "");
            events = wanted;
        }
    }

    /** The same after another client may have changed it. */
    public void keyspaceEventsOff() {
        set("");
        events = false;
    }

    private void set(String flags) {
        command("CONFIG", "SET", "notify-keyspace-events", flags);
    }

    @Override
    public void close() {
        connection.close();
    }

    /**
     * Bytes over the network.
     *
     * @param received the bytes that Redis has received
     * @param sent the bytes that Redis has sent
     */
    public record Traffic(long received, long sent) {}
}
