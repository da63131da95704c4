package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/**
 * Tests exclusion between two contexts, which act as two processes of one application with only the address of Redis
 * configured.
 */
@Timeout(60)
class ExclusionTests {

    private final TestRedis redis = TestRedis.start();

    /** Not the common pool, which may have only one thread on two cores. */
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final ApplicationContextRunner runner = Contexts.with(redis).withBean(Deployer.class);

    @AfterEach
    void end() {
        threads.shutdownNow();
        redis.close();
    }

    @Test
    void serviceOfAnotherContextWaits() {
        runner.run(a -> runner.run(b -> {
            CountDownLatch leave = new CountDownLatch(1);
            CompletableFuture<Void> first = deploy(a, 42, leave);
            awaitHeld("deploy.42");
            CompletableFuture<Void> second = deploy(b, 42, new CountDownLatch(0));
            await().untilAsserted(() ->
                    assertThat(redis.command("ZCARD", "lock:queue:{deploy.42}")).isEqualTo(1L));
            assertThat(second).isNotDone();
            leave.countDown();
            second.get(5, TimeUnit.SECONDS);
            assertThat(first).succeedsWithin(Duration.ofSeconds(5));
        }));
    }

    @Test
    void serviceWithAnotherKeyDoesNotWait() {
        runner.run(a -> runner.run(b -> {
            CountDownLatch leave = new CountDownLatch(1);
            CompletableFuture<Void> first = deploy(a, 1, leave);
            awaitHeld("deploy.1");
            deploy(b, 2, new CountDownLatch(0)).get(5, TimeUnit.SECONDS);
            assertThat(first).isNotDone();
            leave.countDown();
            first.get(5, TimeUnit.SECONDS);
        }));
    }

    @Test
    void templateAndServiceShareALock() {
        runner.run(a -> runner.run(b -> {
            LockOperations operations = a.getBean(LockOperations.class);
            operations.executeWithoutResult("deploy", 42, lease -> {
                LockOperations others = b.getBean(LockOperations.class);
                assertThat(others.tryAcquire(LockRequest.of("deploy", 42))).isEmpty();
            });
            deploy(b, 42, new CountDownLatch(0)).get(5, TimeUnit.SECONDS);
        }));
    }

    @Test
    void namespacesAreSeparate() {
        ApplicationContextRunner orders = runner.withPropertyValues("baton.namespace=orders");
        runner.run(a -> orders.run(b -> a.getBean(LockOperations.class).executeWithoutResult("deploy", 42, lease -> {
            deploy(b, 42, new CountDownLatch(0)).get(5, TimeUnit.SECONDS);
            assertThat(redis.keys()).anyMatch(key -> key.startsWith("orders:"));
        })));
    }

    private CompletableFuture<Void> deploy(ApplicationContext context, long id, CountDownLatch leave) {
        Deployer deployer = context.getBean(Deployer.class);
        return CompletableFuture.runAsync(() -> deployer.deploy(id, leave), threads);
    }

    private void awaitHeld(String name) {
        await().untilAsserted(() ->
                assertThat(redis.command("EXISTS", "lock:lock:{" + name + "}")).isEqualTo(1L));
    }

    static class Deployer {

        @DistributedLock(scope = "deploy", key = "#id")
        void deploy(long id, CountDownLatch leave) {
            try {
                assertThat(leave.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException ex) {
                throw new IllegalStateException(ex);
            }
        }
    }
}
