package dev.baton.lock.redis;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.store.StoreTraits;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Decides what a store can do, given its client, wait strategy and handler. The table is in docs/configuration.md.
 * Pure.
 */
final class RedisTraits {

    private RedisTraits() {}

    /**
     * Returns the traits of a store.
     *
     * @param handler the handler in use; {@link LockHandler#AUTO} counts as {@link LockHandler#SCRIPT}
     * @param acknowledged whether replicas have to acknowledge grants; then no tokens are reserved, which no replica has
     */
    static StoreTraits of(
            RedisConnectionFactory factory,
            WaitStrategy strategy,
            Duration pollingInterval,
            LockHandler handler,
            boolean acknowledged) {
        boolean queued = strategy == WaitStrategy.GRANT;
        boolean scripted = handler != LockHandler.TRANSACTION;
        return new StoreTraits(
                strategy,
                pollingInterval,
                queued && scripted && !acknowledged,
                confirmedOnly(factory, scripted),
                exclusiveOnly(strategy, scripted),
                noConditions(strategy, scripted));
    }

    /** Returns why no request can await a condition, or {@code null} if requests can. */
    private static @Nullable String noConditions(WaitStrategy strategy, boolean scripted) {
        if (!scripted) {
            return "handler transaction has no conditions; use handler script (baton.handler)";
        }
        return strategy == WaitStrategy.GRANT
                ? null
                : "wait strategy " + strategy.name().toLowerCase(Locale.ROOT)
                        + " has no conditions, because its waiters do not queue; use wait strategy grant"
                        + " (baton.wait-strategy)";
    }

    /** Returns why no request can share a lock, or {@code null} if requests can. */
    private static @Nullable String exclusiveOnly(WaitStrategy strategy, boolean scripted) {
        if (!scripted) {
            return "handler transaction has exclusive locks only";
        }
        return strategy == WaitStrategy.GRANT
                ? null
                : "wait strategy " + strategy.name().toLowerCase(Locale.ROOT)
                        + " has exclusive locks only: its waiters do not queue";
    }

    /**
     * Returns why every release must be awaited, or {@code null} if not. The next command must not overtake a release
     * that is not awaited.
     */
    private static @Nullable String confirmedOnly(RedisConnectionFactory factory, boolean scripted) {
        if (ConnectionFactoryValidator.isCluster(factory)) {
            return "in a Redis Cluster a release may be sent again to another master, so the next command could overtake"
                    + " it; use release: confirmed";
        }
        if (factory instanceof JedisConnectionFactory) {
            return "over Jedis every command uses a separate connection, so the next command could overtake a release"
                    + " that is not awaited; use Lettuce (spring.data.redis.client-type), or release: confirmed";
        }
        return scripted
                ? null
                : "handler transaction needs several commands per release, which the next command could overtake; use"
                        + " handler script, or release: confirmed";
    }
}
