package dev.baton.lock.redis.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockHandler;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests that the target of a factory is found for each way to create the factory. */
class LettuceTargetTests {

    private static final LockRequest X = LockRequest.of("x");

    @Test
    void transactionsUseTheTargetOfTheFactory() {
        try (TestRedis redis = Backend.LETTUCE.startOpenRedis()) {
            LettuceConnectionFactory factory = of(LettuceConnectionFactory.createRedisConfiguration(
                    "redis://baton:baton@" + redis.host() + ":" + redis.port() + "/2"));
            factory.afterPropertiesSet();
            factory.start();
            RedisLockStore store = RedisLockStore.builder(factory)
                    .handler(LockHandler.TRANSACTION)
                    .build();
            redis.observe(2);
            try (LockTemplate locks =
                    LockTemplate.builder(store).shutdownAwait(Duration.ZERO).build()) {
                locks.executeWithoutResult(X, lease -> assertThat(redis.keys()).contains("lock:lock:{x.global}"));
            }
            factory.destroy();
        }
    }

    @Test
    void everyKindOfConfigurationIsKnown() {
        for (RedisConfiguration made : new RedisConfiguration[] {
            new RedisStandaloneConfiguration("there", 7),
            new RedisSocketConfiguration("/there"),
            new RedisSentinelConfiguration().master("there"),
            new RedisStaticMasterReplicaConfiguration("there", 7)
        }) {
            LettuceConnectionFactory factory = of(made);
            assertThat(LettuceTarget.of(factory)).isSameAs(made);
            assertThat(LettuceTarget.isStaticMasterReplica(factory))
                    .isEqualTo(made instanceof RedisStaticMasterReplicaConfiguration);
        }
    }

    @Test
    void staticMasterWithReplicasIsRefusedAtOnce() {
        RedisLockStore.Builder builder =
                RedisLockStore.builder(of(new RedisStaticMasterReplicaConfiguration("there", 7)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.handler(LockHandler.TRANSACTION))
                .withMessage(
                        "handler transaction does not work with a static master and replicas, because it cannot tell which of them is the master; use script, or a standalone Redis or one behind sentinels");
        builder.handler(LockHandler.SCRIPT).handler(LockHandler.AUTO);
    }

    /** A factory may offer only its getters. */
    @Test
    void factoryWithoutAReadableTargetIsRefused() {
        RedisStandaloneConfiguration there = new RedisStandaloneConfiguration("there", 7);
        assertThat(LettuceTarget.shown(new LettuceConnectionFactory(there))).isSameAs(there);
        assertThatThrownBy(() -> LettuceTarget.shown(of(there)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "a LettuceConnectionFactory for there:7 does not say how it connects; create it from a RedisStandaloneConfiguration, or use baton.handler: script");
    }

    /** Uses the constructor that accepts any kind of configuration. */
    private static LettuceConnectionFactory of(RedisConfiguration made) {
        return new LettuceConnectionFactory(
                made, LettuceClientConfiguration.builder().build());
    }
}
