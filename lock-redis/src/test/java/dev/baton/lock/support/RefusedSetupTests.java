package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.redis.RedisLockStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The settings that are refused; none of them needs a Redis to be. */
class RefusedSetupTests {

    private static final RedisClusterConfiguration CLUSTER = new RedisClusterConfiguration(List.of("127.0.0.1:9"));

    @Test
    void partsThatAClusterLacksAreRefusedWithTheReason() {
        for (RedisConnectionFactory cluster :
                List.of(new LettuceConnectionFactory(CLUSTER), new JedisConnectionFactory(CLUSTER))) {
            RedisLockStore.Builder builder = RedisLockStore.builder(cluster);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.waitStrategy(WaitStrategy.KEYSPACE))
                    .withMessageContaining("where each node notifies of its own keys only");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.handler(LockHandler.TRANSACTION))
                    .withMessage("handler transaction does not work in a Redis Cluster; use script");
        }
    }

    @Test
    void pauseOfNothingIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store(builder -> builder.pollingInterval(Duration.ofNanos(999_999))))
                .withMessageContaining("use 1 ms to ten years");
        assertThatCode(() -> store(builder -> builder.pollingInterval(Duration.ofMillis(1))))
                .doesNotThrowAnyException();
    }

    private static RedisLockStore store(Consumer<RedisLockStore.Builder> settings) {
        RedisLockStore.Builder builder = RedisLockStore.builder(new LettuceConnectionFactory("127.0.0.1", 9));
        settings.accept(builder);
        return builder.build();
    }
}
