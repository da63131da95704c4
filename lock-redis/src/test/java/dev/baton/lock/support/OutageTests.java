package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Redis is down, hangs, restarts, or drops a connection. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class OutageTests extends OnBackend {

    OutageTests(Backend backend) {
        super(backend);
    }

    @Test
    void downAtStartThenUp() {
        redis.stop();
        Processes.Started process = processes.startDeaf(builder -> {});
        LockTemplate template = process.template();
        long asked = System.nanoTime();
        assertThatThrownBy(() -> template.acquire(LockRequest.of("x").waitTime(Duration.ofMillis(700))))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("Lock 'x.global'")
                .hasMessageContaining(redis.host() + ":" + redis.port())
                .hasMessageContaining("spring.data.redis");
        assertThat(Duration.ofNanos(System.nanoTime() - asked))
                .isBetween(Duration.ofMillis(600), Duration.ofMillis(1200));
        assertThatThrownBy(() -> template.tryAcquire(LockRequest.of("x"))).isInstanceOf(LockStoreException.class);
        redis.restart();
        assertThat(template.execute(LockRequest.of("x"), Lease::isHeld)).isTrue();
        await().atMost(Duration.ofSeconds(6)).until(process.store()::isListening);
    }

    @Test
    void waiterSurvivesARestartOfRedis() throws Exception {
        LockTemplate one = processes.start(builder -> builder.expire(Duration.ofSeconds(3)));
        LockTemplate other = processes.start();
        Lease lease = one.acquire(LockRequest.of("x"));
        Future<Boolean> waiter = threads.submit(
                () -> other.execute(LockRequest.of("x").waitTime(Duration.ofSeconds(20)), Lease::isHeld));
        await().until(() -> redis.keys().contains("lock:queue:{x.global}"));
        redis.restart();
        assertThat(waiter.get(10, TimeUnit.SECONDS)).isTrue();
        await().atMost(Duration.ofSeconds(5)).until(() -> !lease.isHeld());
    }

    @Test
    void waitEndsInTimeWhenRedisHangs() {
        LockTemplate template = processes.start();
        template.execute("warm-up", 1, lease -> 1);
        redis.pause();
        try {
            long asked = System.nanoTime();
            assertThatThrownBy(() -> template.acquire(LockRequest.of("x").waitTime(Duration.ofSeconds(2))))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageMatching(".*(did not answer|has not answered) within.*");
            assertThat(Duration.ofNanos(System.nanoTime() - asked))
                    .isBetween(Duration.ofMillis(1980), Duration.ofMillis(2500));
        } finally {
            redis.resume();
        }
        await().atMost(Duration.ofSeconds(8)).until(() -> template.engine().openRequests() == 0);
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void waitEndsInTimeWhenRedisAcceptsAtStartAndDoesNotAnswer() {
        redis.pause();
        try {
            LockTemplate template = processes.startDeaf(builder -> {}).template();
            long asked = System.nanoTime();
            assertThatThrownBy(() -> template.acquire(LockRequest.of("x").waitTime(Duration.ofSeconds(2))))
                    .isInstanceOf(LockStoreException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - asked))
                    .isBetween(Duration.ofMillis(1980), Duration.ofMillis(2500));
            redis.resume();
            assertThat(template.execute(LockRequest.of("x"), Lease::isHeld)).isTrue();
        } finally {
            redis.resume();
        }
    }

    @Test
    void killedSubscriptionCostsTheWaiterLittle() throws Exception {
        LockTemplate one = processes.start(builder -> builder.recheck(Duration.ofSeconds(30)));
        Processes.Started other = processes.startDeaf(builder -> builder.recheck(Duration.ofSeconds(30)));
        await().until(other.store()::isListening);
        for (int i = 0; i < 5; i++) {
            Lease lease = one.acquire(LockRequest.of("x"));
            Future<Long> waiter =
                    threads.submit(() -> other.template().execute("x", "global", held -> System.nanoTime()));
            await().until(() -> redis.keys().contains("lock:queue:{x.global}"));
            redis.command("CLIENT", "KILL", "TYPE", "pubsub");
            long released = System.nanoTime();
            lease.close();
            assertThat(Duration.ofNanos(waiter.get(10, TimeUnit.SECONDS) - released))
                    .isLessThan(Duration.ofMillis(300));
        }
    }

    @Test
    void waiterTakesOverWithinLeaseAndRecheckOfAHolderThatSaysNothing() throws Exception {
        LockTemplate one = processes.start();
        LockTemplate other = processes.start();
        long granted = System.nanoTime();
        Lease lease = one.acquire(LockRequest.of("x").expire(Duration.ofMillis(1500)));
        CompletableFuture<Long> told = new CompletableFuture<>();
        lease.onLost(() -> told.complete(System.nanoTime()));
        Future<Long> waiter = threads.submit(() -> other.execute("x", "global", held -> System.nanoTime()));
        long taken = waiter.get(10, TimeUnit.SECONDS);
        assertThat(Duration.ofNanos(taken - granted)).isBetween(Duration.ofMillis(1490), Duration.ofMillis(2500));
        assertThat(Duration.ofNanos(taken - told.get(1, TimeUnit.SECONDS)))
                .as("from the loss to the next grant")
                .isPositive();
    }

    @Test
    void forgottenScriptsAreSentAgain() {
        LockTemplate template = processes.start();
        template.execute("x", 1, lease -> 1);
        redis.command("SCRIPT", "FLUSH");
        assertThat(template.execute("x", 1, Lease::isHeld)).isTrue();
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void wrongTypeOfKeyIsRefusedAtOnce() {
        LockTemplate template = processes.start();
        redis.command("LPUSH", "lock:lock:{x.global}", "a key of another application");
        assertThatThrownBy(() -> template.acquire(LockRequest.of("x")))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("the other program that wrote the key");
    }

    @Test
    void timedOutWaiterLeavesTheQueueAndNamesTheHolder() throws Exception {
        LockTemplate one = processes.start();
        // by itself the queue would go after fourteen of its rechecks
        LockTemplate other = processes.start(builder -> builder.recheck(Duration.ofSeconds(30)));
        try (Lease lease = one.acquire(LockRequest.of("x"))) {
            assertThatThrownBy(() -> other.acquire(LockRequest.of("x").waitTime(Duration.ofSeconds(1))))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageMatching("(?s).*not granted within 1\\d\\d\\d ms.*")
                    .hasMessageContaining(Thread.currentThread().getName());
            await().atMost(Duration.ofSeconds(5)).until(() -> !redis.keys().contains("lock:queue:{x.global}"));
            assertThat(redis.lastingKeys()).containsExactlyInAnyOrder("lock:fence", "lock:lock:{x.global}");
            assertThat(lease.isHeld()).isTrue();
        }
    }
}
