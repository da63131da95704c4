package dev.baton.lock.redis;

import dev.baton.lock.harness.RedisView;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Reads the denied accesses of Redis users. */
public final class AclLog {

    private AclLog() {}

    public static void clear(RedisView redis) {
        redis.command("ACL", "LOG", "RESET");
    }

    /** Returns the denied commands, keys and channels, in lower case. Redis 6 names a subcommand by its command. */
    public static List<String> refused(RedisView redis) {
        List<?> log = (List<?>) Objects.requireNonNull(redis.command("ACL", "LOG", "128"));
        return log.stream()
                .map(entry -> (List<?>) entry)
                .map(entry -> String.valueOf(entry.get(entry.indexOf("object") + 1)))
                .map(object -> object.toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
    }

    /** Returns the name of a right in the log. */
    public static String name(RedisView redis, String right) {
        return redis.version().startsWith("6.") ? right.replaceAll("\\|.*", "") : right;
    }
}
