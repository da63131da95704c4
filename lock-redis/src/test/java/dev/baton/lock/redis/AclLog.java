package dev.baton.lock.redis;

import dev.baton.lock.harness.RedisView;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** What Redis's users have tried and may not. */
public final class AclLog {

    private AclLog() {}

    public static void clear(RedisView redis) {
        redis.command("ACL", "LOG", "RESET");
    }

    /** The commands, keys and channels, in small letters; Redis 6 names a subcommand by its command. */
    public static List<String> refused(RedisView redis) {
        List<?> log = (List<?>) Objects.requireNonNull(redis.command("ACL", "LOG", "128"));
        return log.stream()
                .map(entry -> (List<?>) entry)
                .map(entry -> String.valueOf(entry.get(entry.indexOf("object") + 1)))
                .map(object -> object.toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
    }

    /** How it names a right. */
    public static String name(RedisView redis, String right) {
        return redis.version().startsWith("6.") ? right.replaceAll("\\|.*", "") : right;
    }
}
