package dev.baton.lock.redis;

import dev.baton.lock.redis.jedis.SubscribedConnection;
import dev.baton.lock.redis.transaction.LettuceTarget;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Registers hints for native images: the scripts, which are read as resources, and the fields that
 * {@link LettuceTarget} and {@link SubscribedConnection} read.
 */
final class ScriptRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("dev/baton/lock/redis/script/*.lua");
        hints.resources().registerPattern("dev/baton/lock/redis/script/lib/*.lua");
        hints.reflection()
                .registerTypeIfPresent(
                        classLoader,
                        "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
                        type -> type.withField(LettuceTarget.FIELD))
                .registerTypeIfPresent(
                        classLoader,
                        "redis.clients.jedis.UnifiedJedis",
                        type -> type.withField(SubscribedConnection.FIELD));
    }
}
