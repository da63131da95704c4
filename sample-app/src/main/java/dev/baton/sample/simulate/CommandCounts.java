package dev.baton.sample.simulate;

import java.util.Properties;
import java.util.Set;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The commands that Redis has executed since its start, for all its clients, as {@code INFO commandstats} counts them.
 *
 * @param scripts calls of scripts
 * @param publishes messages, those sent by scripts included
 */
record CommandCounts(long scripts, long publishes) {

    private static final Set<String> SCRIPTS = Set.of("eval", "evalsha", "fcall");
    private static final Set<String> PUBLISHES = Set.of("publish", "spublish");

    static CommandCounts read(RedisConnectionFactory factory) {
        try (RedisConnection connection = factory.getConnection()) {
            Properties stats = connection.serverCommands().info("commandstats");
            return new CommandCounts(sum(stats, SCRIPTS), sum(stats, PUBLISHES));
        }
    }

    CommandCounts since(CommandCounts earlier) {
        return new CommandCounts(scripts - earlier.scripts, publishes - earlier.publishes);
    }

    /** A line is {@code cmdstat_evalsha: calls=42,usec=...}; in a cluster the node stands before it. */
    private static long sum(Properties stats, Set<String> commands) {
        return stats.stringPropertyNames().stream()
                .filter(name -> commands.contains(name.substring(name.lastIndexOf('_') + 1)))
                .mapToLong(name -> Long.parseLong(stats.getProperty(name).replaceAll("calls=(\\d+).*", "$1")))
                .sum();
    }
}
