package dev.baton.lock.benchmarks.comparison.process;

import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.harness.TestRedis;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The CPU time that Redis has used, and what it tells of keys. For one thread at a time. */
public final class RedisMeter implements AutoCloseable {

    private static final Pattern CPU = Pattern.compile("(?m)^used_cpu_(?:sys|user):([0-9.]+)");

    private final RespConnection connection;
    private boolean events;

    /** Connects, and has Redis tell of nothing. */
    public RedisMeter(TestRedis redis) {
        this.connection = redis.connect();
        set("");
    }

    /** The CPU time so far in microseconds; asking for it costs some as well. */
    public double cpuMicros() {
        Matcher part = CPU.matcher(String.valueOf(connection.command("INFO", "cpu")));
        double seconds = 0;
        while (part.find()) {
            seconds += Double.parseDouble(part.group(1));
        }
        return seconds * 1e6;
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
        connection.command("CONFIG", "SET", "notify-keyspace-events", flags);
    }

    @Override
    public void close() {
        connection.close();
    }
}
