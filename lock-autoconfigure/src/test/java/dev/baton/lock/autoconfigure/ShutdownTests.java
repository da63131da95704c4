package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Tests the close of an application that works under a lock, or waits for one. */
@Timeout(90)
class ShutdownTests {

    private static final LockRequest REPORT = LockRequest.of("report");
    private static final String LOCK = "lock:lock:{report.global}";

    private final TestRedis redis = TestRedis.start();
    private final ApplicationContextRunner runner =
            Contexts.with(redis).withPropertyValues("baton.shutdown.await=8s", "baton.recheck=30s");

    @AfterEach
    void end() {
        redis.close();
    }

    @Test
    void holderFinishesAndTheNextProcessGetsTheLockAtOnce() {
        runner.run(other -> runner.run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            CountDownLatch finish = new CountDownLatch(1);
            CompletableFuture<Long> work =
                    CompletableFuture.supplyAsync(() -> locks.<Long, RuntimeException>execute(REPORT, lease -> {
                        await().atMost(Duration.ofSeconds(20)).until(() -> finish.getCount() == 0);
                        return System.nanoTime();
                    }));
            await().until(() -> redis.keys().contains(LOCK));
            CompletableFuture<Long> next = CompletableFuture.supplyAsync(() -> other.getBean(LockTemplate.class)
                    .<Long, RuntimeException>execute(
                            REPORT.waitTime(Duration.ofSeconds(20)), lease -> System.nanoTime()));
            await().until(() -> redis.keys().contains("lock:queue:{report.global}"));

            CompletableFuture<Void> closing = close(context);
            await().until(() -> !locks.isRunning());
            assertThat(closing).isNotDone();
            finish.countDown();

            long finished = work.get(5, TimeUnit.SECONDS);
            assertThat(Duration.ofNanos(next.get(5, TimeUnit.SECONDS) - finished))
                    .isLessThan(Duration.ofSeconds(2));
            closing.get(5, TimeUnit.SECONDS);
            assertThat(redis.keys()).doesNotContain(LOCK);
        }));
    }

    @Test
    void waiterFailsBeforeTheApplicationIsClosed() {
        runner.run(other -> runner.run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            try (Lease lease = other.getBean(LockTemplate.class).acquire(REPORT)) {
                CompletableFuture<Lease> waiter =
                        CompletableFuture.supplyAsync(() -> locks.acquire(REPORT.waitUnbounded()));
                await().until(() -> redis.keys().contains("lock:queue:{report.global}"));
                long start = System.nanoTime();
                context.close();
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(6));
                assertThatThrownBy(() -> waiter.get(1, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(LockStoreException.class)
                        .hasMessageContaining("is stopping");
                assertThat(lease.isHeld()).isTrue();
            }
        }));
    }

    @Test
    void stopDoesNotDelayOtherBeans() {
        runner.run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            Lease lease = locks.acquire(REPORT);
            CountDownLatch stopped = new CountDownLatch(1);
            locks.stop(stopped::countDown);
            assertThat(stopped.getCount())
                    .as("the stop runs in a thread of its own")
                    .isEqualTo(1);
            assertThat(lease.release()).isTrue();
            assertThat(stopped.await(5, TimeUnit.SECONDS)).isTrue();
        });
    }

    @Test
    void stopWaitsForHoldersUpToTheBound() {
        runner.withPropertyValues("baton.shutdown.await=300ms").run(context -> {
            Lease lease = context.getBean(LockTemplate.class).acquire(REPORT);
            long start = System.nanoTime();
            context.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(300), Duration.ofSeconds(5));
            assertThat(redis.keys())
                    .as("nothing is released under running work")
                    .contains(LOCK);
            assertThat(lease.isHeld()).isTrue();
        });
    }

    @Test
    void propertyLimitsTheWaiters() {
        runner.withPropertyValues("baton.max-waiters=1", "baton.cohort.limit=0").run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            try (Lease lease = locks.acquire(REPORT)) {
                CompletableFuture<Boolean> waiter =
                        CompletableFuture.supplyAsync(() -> locks.execute(REPORT, Lease::isHeld));
                await().until(() -> redis.keys().contains("lock:queue:{report.global}"));
                CompletableFuture<Boolean> second =
                        CompletableFuture.supplyAsync(() -> locks.execute(REPORT, Lease::isHeld));
                assertThatThrownBy(() -> second.get(5, TimeUnit.SECONDS)).hasMessageContaining("baton.max-waiters");
                assertThat(lease.release()).isTrue();
                assertThat(waiter.get(5, TimeUnit.SECONDS)).isTrue();
            }
        });
    }

    private static CompletableFuture<Void> close(ConfigurableApplicationContext context) {
        assertThat(context.getBean(RedisConnectionFactory.class)).isNotNull();
        return CompletableFuture.runAsync(context::close);
    }
}
