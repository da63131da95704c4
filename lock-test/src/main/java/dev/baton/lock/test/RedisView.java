package dev.baton.lock.test;

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
 * Looks at a running Redis, whoever started it. Each call uses a connection of its own and nothing of the library under test; it
 * may be made by any thread.
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
     * A view of the server at this address; connects to nothing yet.
     *
     * @param host where
     * @param port where
     */
    public RedisView(String host, int port) {
        this.host = host;
        this.port = port;
    }

    /** The address to connect to. */
    public final String host() {
        return host;
    }

    /** The port to connect to. */
    public final int port() {
        return port;
    }

    /** The server's version, such as {@code 6.2.11}. */
    public final String version() {
        Matcher version = VERSION.matcher(text("INFO", "server"));
        if (!version.find()) {
            throw new IllegalStateException("No redis_version in the answer to INFO");
        }
        return version.group(1);
    }

    /** From now on looks into this database; 0 unless set. */
    public final void observe(int database) {
        this.database = database;
    }

    /** A new connection, for what takes more than one command; reading waits up to 5 s. */
    public final RespConnection connect() {
        RespConnection connection = RespConnection.open(host(), port(), REPLY_BOUND);
        ports.add(connection.localPort());
        if (database != 0) {
            connection.command("SELECT", Integer.toString(database));
        }
        return connection;
    }

    /** Whether this view has connected from that port: then a line of {@code MONITOR} with it is about the test itself. */
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
     * How often each command was called since the start or {@link #resetStats()}, by its lower-case name, subcommands as
     * {@code config|resetstat}. Commands called by a script count beside the script; so do our own, such as {@code info}.
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
     * {@link #keys()} without the marks of requests that ended while one of their acquires was unanswered ({@code over}): they go
     * by themselves. A client that keeps no order, as Jedis, may leave one after any hand-over.
     */
    public final SortedSet<String> lastingKeys() {
        SortedSet<String> keys = keys();
        keys.removeIf(key -> key.contains(":over:"));
        return keys;
    }

    /** All keys of the observed database, found by SCAN: a key that comes or goes meanwhile may be in it or not. */
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

    /** What PTTL says about a key: the milliseconds it has left, -1 if it never expires, -2 if there is none. */
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
