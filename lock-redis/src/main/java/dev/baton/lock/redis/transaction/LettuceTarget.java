package dev.baton.lock.redis.transaction;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Determines what a Lettuce factory connects to. The getter of the factory returns {@code localhost:6379} in two cases,
 * regardless of the actual target. One is a {@link RedisConfiguration} as
 * {@link LettuceConnectionFactory#createRedisConfiguration(String)} returns it. The other is a static master with
 * replicas.
 */
public final class LettuceTarget {

    public static final String FIELD = "configuration";

    private static final @Nullable Field MADE_OF =
            ReflectionUtils.findField(LettuceConnectionFactory.class, FIELD, RedisConfiguration.class);

    private LettuceTarget() {}

    static RedisConfiguration of(LettuceConnectionFactory factory) {
        RedisConfiguration known = madeOf(factory);
        return known == null ? shown(factory) : known;
    }

    public static boolean isStaticMasterReplica(LettuceConnectionFactory factory) {
        return RedisConfiguration.isStaticMasterReplicaConfiguration(madeOf(factory));
    }

    /**
     * Returns the configuration of the factory, or {@code null} if it is not accessible, as in a native image without
     * hints.
     */
    private static @Nullable RedisConfiguration madeOf(LettuceConnectionFactory factory) {
        if (MADE_OF == null) {
            return null;
        }
        try {
            MADE_OF.setAccessible(true);
            return (RedisConfiguration) MADE_OF.get(factory);
        } catch (IllegalAccessException | RuntimeException ex) {
            return null;
        }
    }

    /**
     * Returns the configuration that the getters of the factory report.
     *
     * @throws IllegalStateException if the getters do not say where the factory connects to
     */
    static RedisConfiguration shown(LettuceConnectionFactory factory) {
        if (factory.getSentinelConfiguration() != null) {
            return factory.getSentinelConfiguration();
        }
        if (factory.getSocketConfiguration() != null) {
            return factory.getSocketConfiguration();
        }
        RedisStandaloneConfiguration standalone = factory.getStandaloneConfiguration();
        if (!standalone.getHostName().equals(factory.getHostName())
                || standalone.getPort() != factory.getPort()
                || standalone.getDatabase() != factory.getDatabase()) {
            throw new IllegalStateException("a LettuceConnectionFactory for " + factory.getHostName() + ":"
                    + factory.getPort()
                    + " does not say how it connects; create it from a RedisStandaloneConfiguration, or use"
                    + " baton.handler: script");
        }
        return standalone;
    }
}
