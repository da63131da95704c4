package dev.baton.lock.redis.key;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.WithAuthentication;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The Redis that an application has configured, as messages name it. Immutable.
 *
 * @param address the host and port, or the sentinels
 * @param sentinels the name of the primary that the sentinels watch, or {@code null} if there are no sentinels
 * @param cluster whether the servers form a Redis Cluster
 * @param database the index of the database
 * @param user the user, {@code default} if none is configured
 * @param rights the rights that the user needs
 */
record RedisTarget(
        String address, @Nullable String sentinels, boolean cluster, int database, String user, String rights) {

    private static final String DEFAULT_USER = "default";

    /** Returns what a connection factory connects to. */
    static RedisTarget of(RedisConnectionFactory factory, String rights) {
        RedisClusterConfiguration cluster = clusterOf(factory);
        if (cluster != null) {
            return new RedisTarget("cluster nodes " + cluster.getClusterNodes(), null, true, 0, user(cluster), rights);
        }
        if (factory instanceof LettuceConnectionFactory lettuce) {
            RedisSentinelConfiguration sentinels = lettuce.getSentinelConfiguration();
            return sentinels != null
                    ? of(sentinels, lettuce.getDatabase(), rights)
                    : of(
                            lettuce.getHostName(),
                            lettuce.getPort(),
                            lettuce.getDatabase(),
                            lettuce.getStandaloneConfiguration(),
                            rights);
        }
        if (factory instanceof JedisConnectionFactory jedis) {
            RedisSentinelConfiguration sentinels = jedis.getSentinelConfiguration();
            return sentinels != null
                    ? of(sentinels, jedis.getDatabase(), rights)
                    : of(
                            jedis.getHostName(),
                            jedis.getPort(),
                            jedis.getDatabase(),
                            jedis.getStandaloneConfiguration(),
                            rights);
        }
        return new RedisTarget(factory.getClass().getSimpleName(), null, false, 0, DEFAULT_USER, rights);
    }

    private static @Nullable RedisClusterConfiguration clusterOf(RedisConnectionFactory factory) {
        if (factory instanceof LettuceConnectionFactory lettuce) {
            return lettuce.getClusterConfiguration();
        }
        return factory instanceof JedisConnectionFactory jedis ? jedis.getClusterConfiguration() : null;
    }

    private static RedisTarget of(RedisSentinelConfiguration sentinels, int database, String rights) {
        String primary =
                sentinels.getMaster() == null ? "" : sentinels.getMaster().getName();
        return new RedisTarget(
                "sentinels " + sentinels.getSentinels(),
                String.valueOf(primary),
                false,
                database,
                user(sentinels),
                rights);
    }

    private static RedisTarget of(
            String host, int port, int database, @Nullable WithAuthentication login, String rights) {
        return new RedisTarget(host + ":" + port, null, false, database, user(login), rights);
    }

    private static String user(@Nullable WithAuthentication login) {
        String configured = login == null ? null : login.getUsername();
        return configured == null || configured.isBlank() ? DEFAULT_USER : configured;
    }
}
