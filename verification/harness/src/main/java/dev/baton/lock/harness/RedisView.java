package dev.baton.lock.harness;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Inspects a running Redis, however it was started. Each call uses its own connection and nothing of the library under
 * test. May be used by any thread.
 */
public class RedisView {

    private static final Duration REPLY_BOUND = Duration.ofSeconds(5);
    private static final Pattern COMMAND_CALLS = Pattern.compile("(?m)^cmdstat_([^:]+):calls=(\\d+)");
    private static final Pattern VERSION = Pattern.compile("redis_version:(\\S+)");

    private final String host;
    private final int port;
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();
    private volatile int database;

    /**
     * Creates a view of the server at this address; does not connect yet.
     *
     * @param host the host of the server
     * @param port the port of the server
     */
    public RedisView(String host, int port) {
        this.host = host;
        this.port = port;
    }

    /** Returns the address to connect to. */
    public final String host() {
        return host;
    }

    /** Returns the port to connect to. */
    public final int port() {
        return port;
    }

    /** Returns the version of the server, such as {@code 6.2.11}. */
    public final String version() {
        Matcher version = VERSION.matcher(text("INFO", "server"));
        if (!version.find()) {
            throw new IllegalStateException("No redis_version in the answer to INFO");
        }
        return version.group(1);
    }

    /** Selects the database for all later calls; 0 unless set. */
    public final void observe(int database) {
        this.database = database;
    }

    /** Opens a new connection, for tasks of more than one command. Each read waits up to 5 s. */
    public final RespConnection connect() {
        RespConnection connection = RespConnection.open(host(), port(), REPLY_BOUND);
        ports.add(connection.localPort());
        if (database != 0) {
            connection.command("SELECT", Integer.toString(database));
        }
        return connection;
    }

    /**
     * Returns whether this view has connected from the given port. If so, a line of {@code MONITOR} with the port is a
     * command of the test.
     */
    public final boolean isOwn(int port) {
        return ports.contains(port);
    }

    /**
     * Sends one command on a new connection.
     *
     * @return the reply, in the types of {@link RespConnection}
     * @throws RedisErrorException if the reply is an error
     * @throws java.io.UncheckedIOException if the server cannot be reached or does not answer within 5 s
     */
    public final @Nullable Object command(String... args) {
        try (RespConnection connection = connect()) {
            return connection.command(args);
        }
    }

    /**
     * Returns how often each command was called since the start or {@link #resetStats()}. The keys are lower-case
     * names, with subcommands as {@code config|resetstat}. Commands called by a script count in addition to the script.
     * Commands of this view, such as {@code info}, count too.
     */
    public final SortedMap<String, Long> commandStats() {
        SortedMap<String, Long> calls = new TreeMap<>();
        COMMAND_CALLS
                .matcher(text("INFO", "commandstats"))
                .results()
                .forEach(line -> calls.put(line.group(1), Long.valueOf(line.group(2))));
        return calls;
    }

    /** Starts {@link #commandStats()} from zero. */
    public final void resetStats() {
        command("CONFIG", "RESETSTAT");
    }

    /**
     * Returns {@link #keys()} without those that expire on their own: the marks ({@code over}) of requests that ended while
     * one of their acquires was unanswered, what is known of processes that waited ({@code wait}), and the sizes of
     * semaphores ({@code size}). A client that does not keep commands in order, such as Jedis, may leave a mark after any
     * hand-over.
     */
    public final SortedSet<String> lastingKeys() {
        SortedSet<String> keys = keys();
        try (RespConnection connection = connect()) {
            keys.removeIf(key -> (key.contains(":over:") || key.contains(":wait:") || key.contains(":size:"))
                    && !Long.valueOf(-1).equals(connection.command("PTTL", key)));
        }
        return keys;
    }

    /**
     * Returns all keys of the observed database by SCAN. Keys added or removed during the scan may be missing or
     * present.
     */
    public final SortedSet<String> keys() {
        SortedSet<String> keys = new TreeSet<>();
        try (RespConnection connection = connect()) {
            String cursor = "0";
            do {
                List<?> page = list(connection.command("SCAN", cursor, "COUNT", "1000"));
                cursor = String.valueOf(page.get(0));
                list(page.get(1)).forEach(key -> keys.add(String.valueOf(key)));
            } while (!cursor.equals("0"));
        }
        return keys;
    }

    /**
     * Returns the PTTL of a key: the remaining milliseconds, -1 if the key never expires, -2 if there is no such key.
     */
    public final long ttl(String key) {
        return (Long) Objects.requireNonNull(command("PTTL", key));
    }

    @Override
    public String toString() {
        return "redis-server at " + host + ":" + port;
    }

    private String text(String... args) {
        return String.valueOf(command(args));
    }

    private static List<?> list(@Nullable Object reply) {
        if (reply instanceof List<?> list) {
            return list;
        }
        throw new IllegalStateException("Not a list: " + reply);
    }
}
