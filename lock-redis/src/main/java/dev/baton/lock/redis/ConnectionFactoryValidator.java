package dev.baton.lock.redis;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.redis.transaction.LettuceTarget;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Rejects connection factories that locks do not support. The supported ones are in docs/spring-boot.md. */
final class ConnectionFactoryValidator {

    private ConnectionFactoryValidator() {}

    static void check(RedisConnectionFactory factory) {
        if (factory instanceof JedisConnectionFactory jedis) {
            checkPool(jedis);
        } else if (!(factory instanceof LettuceConnectionFactory)) {
            throw new IllegalArgumentException("locks over "
                    + factory.getClass().getName()
                    + " are not supported; use a LettuceConnectionFactory or a JedisConnectionFactory"
                    + " (spring.data.redis.client-type)");
        }
    }

    static void check(RedisConnectionFactory factory, WaitStrategy strategy) {
        if (strategy == WaitStrategy.KEYSPACE && isCluster(factory)) {
            throw new IllegalArgumentException(
                    "wait strategy keyspace does not work in a Redis Cluster, where each node"
                            + " notifies of its own keys only; use grant or polling");
        }
    }

    static void check(RedisConnectionFactory factory, LockHandler handler) {
        if (handler == LockHandler.TRANSACTION && isCluster(factory)) {
            throw new IllegalArgumentException("handler transaction does not work in a Redis Cluster; use script");
        }
        if (handler == LockHandler.TRANSACTION
                && factory instanceof LettuceConnectionFactory lettuce
                && LettuceTarget.isStaticMasterReplica(lettuce)) {
            throw new IllegalArgumentException(
                    "handler transaction does not work with a static master and replicas, because it"
                            + " cannot tell which of them is the master; use script, or a standalone Redis or one behind sentinels");
        }
    }

    static boolean isCluster(RedisConnectionFactory factory) {
        return factory instanceof LettuceConnectionFactory lettuce && lettuce.isClusterAware()
                || factory instanceof JedisConnectionFactory jedis && jedis.isRedisClusterAware();
    }

    private static void checkPool(JedisConnectionFactory jedis) {
        GenericObjectPoolConfig<?> pool = jedis.getPoolConfig();
        if (pool != null && pool.getMaxTotal() >= 0 && pool.getMaxTotal() < 2) {
            throw new IllegalArgumentException("a pool of " + pool.getMaxTotal()
                    + " Jedis connections is too small for locks, whose subscription keeps one; give it at least 2, or"
                    + " -1 for any number (spring.data.redis.jedis.pool.max-active)");
        }
    }
}
