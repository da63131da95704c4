package dev.baton.lock.redis;

import dev.baton.lock.LockCapabilities;
import dev.baton.lock.LockCapabilities.Handler;
import dev.baton.lock.LockCapabilities.Topology;
import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import java.util.Optional;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Derives the capabilities of a store from its settings and from the configuration of its connections. */
final class RedisCapabilities {

    private RedisCapabilities() {}

    static LockCapabilities of(
            RedisConnectionFactory factory, LockHandler handler, WaitStrategy strategy, Optional<String> server) {
        return new LockCapabilities(inUse(handler), strategy, topology(factory), server);
    }

    private static Handler inUse(LockHandler handler) {
        return switch (handler) {
            case AUTO -> Handler.UNDECIDED;
            case SCRIPT -> Handler.SCRIPT;
            case TRANSACTION -> Handler.TRANSACTION;
        };
    }

    private static Topology topology(RedisConnectionFactory factory) {
        if (factory instanceof LettuceConnectionFactory lettuce) {
            if (lettuce.isClusterAware()) {
                return Topology.CLUSTER;
            }
            return lettuce.isRedisSentinelAware() ? Topology.SENTINEL : Topology.STANDALONE;
        }
        if (factory instanceof JedisConnectionFactory jedis) {
            if (jedis.isRedisClusterAware()) {
                return Topology.CLUSTER;
            }
            return jedis.isRedisSentinelAware() ? Topology.SENTINEL : Topology.STANDALONE;
        }
        return Topology.OTHER;
    }
}
