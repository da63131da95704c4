package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.autoconfigure.LockAutoConfiguration;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * One application for all tests of a class, in a namespace of its own on the shared Redis, and another process that
 * holds locks. By default the application does not wait for locks.
 */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AttributeFixture {

    final TestRedis redis = TestRedis.shared();
    final String namespace = getClass().getSimpleName();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> properties;
    private final Class<?>[] beans;
    private AnnotationConfigApplicationContext application;
    private LockTemplate other;

    AttributeFixture(List<String> properties, Class<?>... beans) {
        this.properties = properties;
        this.beans = beans.clone();
    }

    @BeforeAll
    void start() {
        application = application(beans);
        RedisConnectionFactory connections = application.getBean(RedisConnectionFactory.class);
        other = LockTemplate.builder(
                        RedisLockStore.builder(connections).namespace(namespace).build())
                .shutdownAwait(Duration.ZERO)
                .build();
        await().until(() ->
                other.isListening() && application.getBean(LockTemplate.class).isListening());
    }

    /** Starts another application. The caller closes the application. */
    final AnnotationConfigApplicationContext application(Class<?>... beans) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        TestPropertyValues.of(properties)
                .and("baton.namespace=" + namespace, "baton.command-timeout=10s")
                .and("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port())
                .applyTo(context);
        if (properties.stream().noneMatch(property -> property.startsWith("baton.wait-time="))) {
            TestPropertyValues.of("baton.wait-time=0").applyTo(context);
        }
        context.register(AutoConfigured.class);
        context.register(beans);
        context.refresh();
        return context;
    }

    @AfterEach
    void nothingIsLeft() {
        await().untilAsserted(() ->
                assertThat(redis.keys()).noneMatch(key -> key.startsWith(namespace + ":") && key.contains("lock:{")));
    }

    @AfterAll
    void end() {
        threads.shutdownNow();
        other.close();
        application.close();
    }

    final <T> T bean(Class<T> type) {
        return application.getBean(type);
    }

    /** Returns the other process. */
    final LockOperations other() {
        return other;
    }

    /** Acquires the lock of a scope in the other process. */
    final Lease hold(String scope, Object... key) {
        return other.acquire(LockRequest.of(scope, key));
    }

    final <T> Future<T> inBackground(Callable<T> call) {
        return threads.submit(call);
    }

    static <T> T get(Future<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    final void awaitWaiter(String name) {
        await().pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(redis.command("ZCARD", namespace + ":queue:{" + name + "}"))
                        .isEqualTo(1L));
    }

    /** Returns the lease of the running method. */
    static Lease lease() {
        return LockContext.currentLease();
    }

    static void assertBusy(ThrowingCallable call) {
        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(call);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LockAutoConfiguration.class, AopAutoConfiguration.class, DataRedisAutoConfiguration.class
    })
    static class AutoConfigured {}

    /** Asserts that a call finds the lock free by itself, after its key was deleted without a message. */
    final void assertPolls(String scope, Callable<Duration> call) throws Exception {
        Lease held = hold(scope);
        try {
            Future<Duration> waiting = inBackground(call);
            await().until(() -> bean(LockTemplate.class).engine().placed() == 1);
            await().during(Duration.ofMillis(100)).until(() -> !waiting.isDone());
            assertThat(redis.keys()).doesNotContain(queue(scope));
            redis.command("DEL", held.redisKeys().get(0));
            assertThat(get(waiting)).isLessThan(Duration.ofSeconds(10));
        } finally {
            assertThat(held.release()).isFalse();
        }
    }

    private String queue(String scope) {
        return namespace + ":queue:{" + scope + ".global}";
    }
}
