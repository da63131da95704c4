package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.LockTemplate;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/**
 * Tests an application with a listener container of its own: the container gets its messages, and locks are handed over
 * by message.
 */
@Timeout(60)
class OtherListenerContainerTests {

    private static final LockRequest JOB = LockRequest.of("job");

    private final TestRedis redis = TestRedis.start();

    @AfterEach
    void end() {
        redis.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void containersOfBootAndOfTheLocksGetTheirOwnMessages(String client) {
        assertBothHear(runner(client));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void containersOfTheApplicationAndOfTheLocksGetTheirOwnMessages(String client) {
        assertBothHear(runner(client).withUserConfiguration(OwnContainer.class));
    }

    private ApplicationContextRunner runner(String client) {
        return Contexts.with(redis)
                .withUserConfiguration(ContainerClient.class)
                .withPropertyValues("spring.data.redis.client-type=" + client, "baton.recheck=20s");
    }

    private void assertBothHear(ApplicationContextRunner runner) {
        runner.run(one -> runner.run(other -> {
            Queue<String> heard = new ConcurrentLinkedQueue<>();
            other.getBean(ContainerClient.class)
                    .container
                    .addMessageListener(
                            (message, pattern) -> heard.add(new String(message.getBody(), StandardCharsets.UTF_8)),
                            new ChannelTopic("orders"));
            await().until(() -> redis.command("PUBLISH", "orders", "shipped"), listeners -> listeners.equals(1L));
            assertHandedOver(one, other);
            await().untilAsserted(() -> assertThat(heard).containsExactly("shipped"));
        }));
    }

    /** Asserts a hand-over long before the next recheck of the waiter. */
    private static void assertHandedOver(ApplicationContext one, ApplicationContext other) throws Exception {
        LockOperations locks = one.getBean(LockOperations.class);
        await().until(other.getBean(LockTemplate.class)::isListening);
        Lease held = locks.acquire(JOB);
        CompletableFuture<Lease> waiting =
                other.getBean(LockOperations.class).acquireAsync(JOB).toCompletableFuture();
        Waiters.awaitQueue(locks, JOB, 1);
        held.close();
        waiting.get(5, TimeUnit.SECONDS).close();
    }

    /** Defines a container with the bean name of Boot. */
    @Configuration(proxyBeanMethods = false)
    static class OwnContainer {

        @Bean
        RedisMessageListenerContainer redisMessageListenerContainer(RedisConnectionFactory factory) {
            RedisMessageListenerContainer container = new RedisMessageListenerContainer();
            container.setConnectionFactory(factory);
            return container;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ContainerClient {

        private final RedisMessageListenerContainer container;

        ContainerClient(RedisMessageListenerContainer container) {
            this.container = container;
        }
    }
}
