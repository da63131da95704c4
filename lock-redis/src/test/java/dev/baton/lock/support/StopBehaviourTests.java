package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A process stops while it holds locks and waits for others. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class StopBehaviourTests extends OnBackend {

    private static final LockRequest X = LockRequest.of("x");
    private static final String LOCK = "lock:lock:{x.global}";
    private static final String QUEUE = "lock:queue:{x.global}";

    private LockTemplate stopping;
    private LockTemplate other;

    StopBehaviourTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void start() {
        stopping = processes.start(
                builder -> builder.shutdownAwait(Duration.ofSeconds(10)).expire(Duration.ofSeconds(2)));
        other = processes.start(builder -> builder.recheck(Duration.ofSeconds(30)));
    }

    @Test
    void workIsFinishedUnderTheLockAndTheNextProcessGetsItAtOnce() throws Exception {
        CountDownLatch finish = new CountDownLatch(1);
        CompletableFuture<Long> work = CompletableFuture.supplyAsync(() -> stopping.execute(X, lease -> {
            await(finish);
            assertThat(stopping.<Boolean, RuntimeException>execute(X, Lease::isHeld))
                    .as("re-entry while it stops")
                    .isTrue();
            return System.nanoTime();
        }));
        Awaitility.await().until(() -> redis.keys().contains(LOCK));
        CompletableFuture<Long> next =
                CompletableFuture.supplyAsync(() -> other.execute(X, lease -> System.nanoTime()));
        Awaitility.await().until(() -> redis.keys().contains(QUEUE));

        CompletableFuture<Void> stop = CompletableFuture.runAsync(stopping::stop);
        Awaitility.await().until(() -> !stopping.isRunning());
        // more than two of its leases
        TimeUnit.MILLISECONDS.sleep(4_500);
        assertThat(next).as("it is renewed while its holder works").isNotDone();
        assertThat(stop).isNotDone();
        assertThatThrownBy(() -> stopping.acquire(LockRequest.of("y")))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("is stopping");
        finish.countDown();

        long finished = work.get(5, TimeUnit.SECONDS);
        assertThat(Duration.ofNanos(next.get(5, TimeUnit.SECONDS) - finished)).isLessThan(Duration.ofSeconds(2));
        stop.get(5, TimeUnit.SECONDS);
        assertThat(redis.keys()).doesNotContain(LOCK, QUEUE);
    }

    @Test
    void waiterIsToldAtOnceAndLeavesTheQueue() throws Exception {
        try (Lease lease = other.acquire(X)) {
            CompletableFuture<Lease> waiter = CompletableFuture.supplyAsync(() -> stopping.acquire(X.waitUnbounded()));
            Awaitility.await().until(() -> redis.keys().contains(QUEUE));
            long start = System.nanoTime();
            stopping.stop();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("nobody holds anything: there is nothing to wait for")
                    .isLessThan(Duration.ofSeconds(4));
            assertThatThrownBy(() -> waiter.get(1, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(LockStoreException.class)
                    .hasMessageContaining("is stopping");
            assertThat(redis.keys()).doesNotContain(QUEUE);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void whatIsHeldAfterwardsEndsByItselfAndIsNotReleased() throws Exception {
        LockTemplate hasty = processes.start(builder -> builder.shutdownAwait(Duration.ofMillis(200)));
        Lease lease = hasty.acquire(X.expire(Duration.ofSeconds(2)));
        hasty.stop();

        assertThat(redis.keys()).contains(LOCK);
        assertThat(lease.isHeld()).isTrue();
        assertThat(other.tryAcquire(X)).isEmpty();
        long start = System.nanoTime();
        lease.release();
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("nobody is there to confirm it")
                .isLessThan(Duration.ofSeconds(1));
        try (Lease next = other.acquire(X.waitTime(Duration.ofSeconds(5)))) {
            assertThat(next.isHeld()).isTrue();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("not told to finish");
            }
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
