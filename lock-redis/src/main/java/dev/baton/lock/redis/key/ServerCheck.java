package dev.baton.lock.redis.key;

import dev.baton.lock.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rejects a server that is too old, at the first connection for commands. Asks by {@code HELLO}, which needs no right
 * and which every server that is new enough answers, and by {@code INFO} if the server does not know that command. A
 * server that does not reveal its version is accepted, as are relatives of Redis with version numbers of their own.
 *
 * <p>Thread-safe. A server that was accepted is not asked again.
 */
public final class ServerCheck {

    private static final int OLDEST_MAJOR = 6;
    private static final int OLDEST_MINOR = 2;
    static final String OLDEST = OLDEST_MAJOR + "." + OLDEST_MINOR;

    private static final Pattern VERSION = Pattern.compile("^(\\d{1,9})\\.(\\d{1,9})");
    private static final Pattern IN_INFO = Pattern.compile("(?m)^redis_version:(\\S+)");

    /** Matches the code that each error of Redis begins with. Failures of connections begin with a word or a name. */
    private static final Pattern ERROR = Pattern.compile("^[A-Z]{3,}( |$)");

    private final RedisFailures failures;
    private volatile boolean accepted;

    public ServerCheck(RedisFailures failures) {
        this.failures = failures;
    }

    /** A new connection, which sends one command and waits for the reply. */
    @FunctionalInterface
    public interface Connection {

        /**
         * Returns the reply: a text, bytes, a number, or a list or map of those.
         *
         * @throws RuntimeException if the reply is an error, which is then the message of the root cause, or if there
         *     is no reply
         */
        @Nullable
        Object ask(String command, String... args);
    }

    /**
     * Checks the server behind a connection, unless a server was accepted before.
     *
     * @throws StoreException if the server is too old
     * @throws RuntimeException if the connection failed
     */
    public void check(Connection connection) {
        if (accepted) {
            return;
        }
        String version = version(connection);
        if (version != null && isTooOld(version)) {
            throw failures.tooOld(version);
        }
        accepted = true;
    }

    /** Returns the version of Redis, or {@code null} if it is unknown. */
    private static @Nullable String version(Connection connection) {
        try {
            return inHello(texts(connection.ask("HELLO"), new ArrayList<>()));
        } catch (RuntimeException ex) {
            requireRefusal(ex);
        }
        try {
            return inInfo(texts(connection.ask("INFO", "server"), new ArrayList<>()));
        } catch (RuntimeException ex) {
            requireRefusal(ex);
            return null;
        }
    }

    /**
     * Throws the failure, unless Redis has replied that it does not carry out this command. A connection that was not
     * accepted, for want of a password for example, says nothing about the version.
     */
    private static void requireRefusal(RuntimeException failure) {
        String said = RedisFailures.rootMessage(failure);
        boolean refused = switch (RedisError.of(said)) {
            case NO_RIGHT, UNKNOWN_COMMAND -> true;
            case OTHER -> ERROR.matcher(said).find();
            default -> false;
        };
        if (!refused) {
            throw failure;
        }
    }

    /** Reads names and values in turn. Relatives of Redis with version numbers of their own have another name. */
    private static @Nullable String inHello(List<String> reply) {
        int server = reply.indexOf("server");
        int version = reply.indexOf("version");
        return server >= 0
                        && version >= 0
                        && Math.max(server, version) + 1 < reply.size()
                        && reply.get(server + 1).equalsIgnoreCase("redis")
                ? reply.get(version + 1)
                : null;
    }

    private static @Nullable String inInfo(List<String> reply) {
        Matcher version = IN_INFO.matcher(String.join("\n", reply));
        return version.find() ? version.group(1) : null;
    }

    private static boolean isTooOld(String version) {
        Matcher numbers = VERSION.matcher(version);
        if (!numbers.find()) {
            return false;
        }
        int major = Integer.parseInt(numbers.group(1));
        return major < OLDEST_MAJOR || major == OLDEST_MAJOR && Integer.parseInt(numbers.group(2)) < OLDEST_MINOR;
    }

    /** Returns all texts of a reply in their order. The two protocols of Redis nest lists and maps differently. */
    private static List<String> texts(@Nullable Object reply, List<String> texts) {
        if (reply instanceof Map<?, ?> map) {
            map.entrySet().forEach(entry -> texts(entry, texts));
        } else if (reply instanceof Map.Entry<?, ?> entry) {
            texts(entry.getKey(), texts);
            texts(entry.getValue(), texts);
        } else if (reply instanceof Iterable<?> list) {
            list.forEach(one -> texts(one, texts));
        } else if (reply instanceof byte[] bytes) {
            texts.add(new String(bytes, StandardCharsets.UTF_8));
        } else if (reply != null) {
            texts.add(reply.toString());
        }
        return texts;
    }
}
