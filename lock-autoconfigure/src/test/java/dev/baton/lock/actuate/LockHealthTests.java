package dev.baton.lock.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests the problems that the health indicator finds, and their descriptions. */
@Tag("once")
class LockHealthTests {

    @ParameterizedTest
    @CsvSource({"AUTO, GRANT, undecided", "TRANSACTION, GRANT, transaction", "TRANSACTION, POLLING, transaction"})
    void redisIsUpWhileItAnswersAndDownWhenItIsGone(LockHandler handler, WaitStrategy strategy, String called) {
        TestRedis redis = TestRedis.start();
        LettuceConnectionFactory factory = new LettuceConnectionFactory(redis.host(), redis.port());
        factory.afterPropertiesSet();
        factory.start();
        try (LockTemplate locks = LockTemplate.builder(RedisLockStore.builder(factory)
                        .handler(handler)
                        .waitStrategy(strategy)
                        .build())
                .commandTimeout(Duration.ofSeconds(3))
                .shutdownAwait(Duration.ZERO)
                .build()) {
            await().until(() -> locks.isListening() || strategy == WaitStrategy.POLLING);
            LockHealth health = LockHealth.of(locks);
            assertThat(health.up()).isTrue();
            assertThat(health.details())
                    .containsEntry("listening", strategy == WaitStrategy.GRANT)
                    .containsEntry("handler", called)
                    .containsEntry("waitStrategy", strategy.name().toLowerCase(Locale.ROOT))
                    .containsEntry("topology", "standalone");
            assertThat((long) health.details().get("roundTripMicros")).isPositive();
            assertThat((long) health.details().get("clockOffsetMillis")).isBetween(-1_000L, 1_000L);

            redis.close();
            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                LockHealth down = LockHealth.of(locks);
                assertThat(down.up()).isFalse();
                assertThat(down.details().get("problem").toString()).contains("Redis at");
                assertThat(down.details().get("consequence").toString()).contains("locks are not granted");
            });
        } finally {
            factory.destroy();
        }
    }

    @Test
    void lostSubscriptionIsDownWithSlowerLocksAsTheReason() {
        InMemoryLockStore store = new InMemoryLockStore(TestClock.ticking());
        try (LockTemplate locks =
                LockTemplate.builder(store).time(store.clock()).build()) {
            assertThat(LockHealth.of(locks).up()).isTrue();
            store.setListening(false);
            LockHealth health = LockHealth.of(locks);
            assertThat(health.up()).isFalse();
            assertThat(health.details().get("problem").toString()).contains("subscription");
            assertThat(health.details().get("consequence").toString()).contains("once per recheck");
            store.setListening(true);
            assertThat(LockHealth.of(locks).up()).isTrue();
        }
    }

    @Test
    void stoppedTemplateIsDown() {
        InMemoryLockStore store = new InMemoryLockStore(TestClock.ticking());
        LockTemplate locks = LockTemplate.builder(store).time(store.clock()).build();
        locks.close();
        assertThat(LockHealth.of(locks).up()).isFalse();
        assertThat(LockHealth.of(locks).details().get("problem").toString()).contains("stopped");
    }
}
