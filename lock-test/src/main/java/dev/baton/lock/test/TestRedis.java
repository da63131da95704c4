package dev.baton.lock.test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A real redis-server on a free loopback port that belongs to the test which started it and ends with it, at the latest with
 * the JVM. It keeps nothing on disk.
 *
 * <p>The binary is the one that the system property {@code redis.server} names, else the one that the library
 * {@code embedded-redis} brings for this platform. {@link #pause()} and {@link #resume()} need a POSIX system.
 *
 * <p>Everything that observes ({@link #command}, {@link #keys()}, ...) uses a connection of its own for each call and nothing of
 * the library under test. It may be called by any thread; starting and ending are for one thread at a time.
 */
public final class TestRedis implements AutoCloseable {

    private static final Duration REPLY_BOUND = Duration.ofSeconds(5);
    private static final Pattern COMMAND_CALLS = Pattern.compile("(?m)^cmdstat_([^:]+):calls=(\\d+)");
    private static final Pattern VERSION = Pattern.compile("redis_version:(\\S+)");

    private final List<String> settings;
    private volatile RedisProcess process;

    private TestRedis(List<String> settings, RedisProcess process) {
        this.settings = settings;
        this.process = process;
    }

    /**
     * Starts a server and returns when it answers.
     *
     * @param settings lines of {@code redis.conf}, for example {@code "maxclients 100"}; they come after our own
     * @throws IllegalStateException if the server ends or does not answer; the message has its output
     */
    public static TestRedis start(String... settings) {
        List<String> lines = List.of(settings);
        return new TestRedis(lines, RedisProcess.startOnFreePort(lines));
    }

    /**
     * The one server of this JVM for tests that keep to a namespace of their own: started at the first call, ended with the JVM.
     * Do not stop, pause, flush or configure it, and do not count its commands.
     */
    public static TestRedis shared() {
        return Shared.REDIS;
    }

    /** The address to connect to: always loopback. */
    public String host() {
        return Loopback.HOST;
    }

    /** The port, which stays the same after {@link #restart()}. */
    public int port() {
        return process.port();
    }

    /** The process id of the server; a new one after {@link #restart()}. */
    public long pid() {
        return process.pid();
    }

    /** The server's version, such as {@code 6.2.11}. */
    public String version() {
        Matcher version = VERSION.matcher(text("INFO", "server"));
        if (!version.find()) {
            throw new IllegalStateException("No redis_version in the answer to INFO");
        }
        return version.group(1);
    }

    /** What the present run of the server has written to its log. */
    public String output() {
        return process.output();
    }

    /** Ends the server by SIGKILL, also a paused one, with all its data; does nothing if it has ended. */
    public void stop() {
        process.kill();
    }

    /** Ends the server if it runs and starts it again on the same port: empty, with the same settings. */
    public void restart() {
        stop();
        process = RedisProcess.start(process.port(), settings);
    }

    /** Freezes the server by SIGSTOP: it accepts connections and answers nothing until {@link #resume()}. */
    public void pause() {
        process.pause();
    }

    /** Lets a paused server go on; it does then what it was asked meanwhile. */
    public void resume() {
        process.resume();
    }

    /** Ends the server; the same as {@link #stop()}. */
    @Override
    public void close() {
        stop();
    }

    /** A new connection, for what takes more than one command; reading waits up to 5 s. */
    public RespConnection connect() {
        return RespConnection.open(host(), port(), REPLY_BOUND);
    }

    /**
     * Sends one command on a new connection.
     *
     * @return the reply, in the types of {@link RespConnection}
     * @throws RedisErrorException if the reply is an error
     * @throws java.io.UncheckedIOException if the server cannot be reached or does not answer within 5 s
     */
    public @Nullable Object command(String... args) {
        try (RespConnection connection = connect()) {
            return connection.command(args);
        }
    }

    /**
     * How often each command was called since the start or {@link #resetStats()}, by its lower-case name, subcommands as
     * {@code config|resetstat}. Commands called by a script count beside the script; so do our own, such as {@code info}.
     */
    public SortedMap<String, Long> commandStats() {
        SortedMap<String, Long> calls = new TreeMap<>();
        COMMAND_CALLS
                .matcher(text("INFO", "commandstats"))
                .results()
                .forEach(line -> calls.put(line.group(1), Long.valueOf(line.group(2))));
        return calls;
    }

    /** Starts {@link #commandStats()} from zero. */
    public void resetStats() {
        command("CONFIG", "RESETSTAT");
    }

    /** All keys of database 0, found by SCAN: a key that comes or goes meanwhile may be in it or not. */
    public SortedSet<String> keys() {
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
    public long ttl(String key) {
        return (Long) Objects.requireNonNull(command("PTTL", key));
    }

    @Override
    public String toString() {
        return "redis-server " + pid() + " at " + host() + ":" + port();
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

    private static final class Shared {

        static final TestRedis REDIS = start();
    }
}
