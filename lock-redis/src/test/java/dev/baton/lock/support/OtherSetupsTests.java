package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a lock does, however its processes wait and whatever changes its state. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Setup#others")
class OtherSetupsTests {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final LockRequest X = LockRequest.of("x");

    private final Setup setup;
    private TestRedis redis;
    private Processes processes;
    private LockTemplate one;
    private LockTemplate other;

    OtherSetupsTests(Setup setup) {
        this.setup = setup;
    }

    @BeforeEach
    void start() {
        redis = setup.backend().startOpenRedis();
        processes = setup.on(redis);
        one = startProcess();
        other = startProcess();
    }

    private LockTemplate startProcess() {
        return processes
                .startDeaf(builder -> builder.recheck(Duration.ofSeconds(1)).expire(Duration.ofSeconds(3)))
                .template();
    }

    @AfterEach
    void stop() throws Exception {
        processes.close();
        redis.close();
    }

    @Test
    void lockIsTakenAndGivenBackAndNothingIsLeft() {
        Lease lease = one.acquire(X);
        assertThat(lease.isHeld()).isTrue();
        assertThat(redis.lastingKeys()).containsExactly("lock:fence", LOCK);
        assertThat(lease.release()).isTrue();
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
        await().untilAsserted(() -> assertThat(one.engine().openRequests()).isZero());
    }

    @Test
    void otherProcessIsRefusedAndToldTheHolder() {
        try (Lease lease = one.acquire(X)) {
            assertThat(other.tryAcquire(X)).isEmpty();
            assertThatThrownBy(() -> other.acquire(X.waitTime(Duration.ofMillis(700))))
                    .isInstanceOfSatisfying(LockTimeoutException.class, ex -> {
                        assertThat(ex.getHolder().orElseThrow().fencingToken()).isEqualTo(lease.fencingToken());
                        assertThat(ex.getHolder().orElseThrow().owner()).isEqualTo(lease.owner());
                    });
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(other.tryAcquire(X).orElseThrow().release()).isTrue();
    }

    @Test
    void waiterIsGrantedAfterTheReleaseWithAGreaterToken() throws Exception {
        Lease lease = one.acquire(X);
        CompletableFuture<Lease> waiter =
                CompletableFuture.supplyAsync(() -> other.acquire(X.waitTime(Duration.ofSeconds(8))));
        await().until(() -> other.engine().awaitedNames() == 1);
        lease.close();
        Lease next = waiter.get(5, TimeUnit.SECONDS);
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(next.isHeld()).isTrue();
        assertThat(next.release()).isTrue();
        await().untilAsserted(() -> assertThat(other.engine().openRequests()).isZero());
        assertThat(other.engine().awaitedNames()).isZero();
    }

    @Test
    void waitersOfBothProcessesAreAllServedOneAtATime() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<Long>> waiters = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            LockTemplate process = i % 2 == 0 ? one : other;
            waiters.add(CompletableFuture.supplyAsync(
                    () -> process.execute(X.waitTime(Duration.ofSeconds(20)), lease -> {
                        assertThat(inside.incrementAndGet()).isEqualTo(1);
                        inside.decrementAndGet();
                        return lease.fencingToken();
                    }),
                    task -> new Thread(task).start()));
        }
        List<Long> tokens = new ArrayList<>();
        for (CompletableFuture<Long> waiter : waiters) {
            tokens.add(waiter.get(25, TimeUnit.SECONDS));
        }
        assertThat(tokens).doesNotHaveDuplicates();
    }

    @Test
    void leaseIsRenewedWhileItIsHeld() {
        try (Lease lease = one.acquire(X)) {
            assertThat(other.tryAcquire(X.waitTime(Duration.ofSeconds(4)))).isEmpty();
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.renew(Duration.ofSeconds(60))).isTrue();
            assertThat(redis.ttl(LOCK)).isGreaterThan(50_000);
        }
    }

    @Test
    void holderLearnsThatItsLockIsGone() {
        Lease lease = one.acquire(X);
        redis.command("DEL", LOCK);
        assertThat(lease.renew()).isFalse();
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void expiredLockIsTakenOver() throws Exception {
        Lease lease = one.acquire(X.expire(Duration.ofSeconds(1)));
        Lease next = other.acquire(X.waitTime(Duration.ofSeconds(5)));
        assertThat(lease.isHeld()).isFalse();
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        next.close();
    }

    @Test
    void waitEndsWithItsTimeAlthoughRedisHangs() {
        try (Lease lease = one.acquire(X.expire(Duration.ofSeconds(30)))) {
            CompletableFuture<Duration> waited = CompletableFuture.supplyAsync(() -> {
                long from = System.nanoTime();
                assertThatThrownBy(() -> other.acquire(X.waitTime(Duration.ofMillis(700))))
                        .isInstanceOf(RuntimeException.class);
                return Duration.ofNanos(System.nanoTime() - from);
            });
            await().until(() -> other.engine().awaitedNames() == 1);
            redis.pause();
            assertThat(waited.join()).isBetween(Duration.ofMillis(690), Duration.ofMillis(1_500));
            redis.resume();
            assertThat(lease.isHeld()).isTrue();
        }
        await().atMost(Duration.ofSeconds(15))
                .untilAsserted(() -> assertThat(redis.keys())
                        .allMatch(key -> key.equals("lock:fence") || key.startsWith("lock:over:")));
    }

    @Test
    void interruptEndsTheWait() throws Exception {
        try (Lease lease = one.acquire(X)) {
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            CompletableFuture<Lease> waiter = CompletableFuture.supplyAsync(
                    () -> {
                        thread.complete(Thread.currentThread());
                        return other.acquire(X.waitUnbounded());
                    },
                    task -> new Thread(task).start());
            await().until(() -> other.engine().awaitedNames() == 1);
            thread.get().interrupt();
            assertThatThrownBy(() -> waiter.get(5, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(LockInterruptedException.class);
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(other.engine().awaitedNames()).isZero();
    }

    @Test
    void restartedRedisIsUsedAgain() {
        one.execute(X, lease -> 1);
        redis.restart();
        await().atMost(Duration.ofSeconds(15)).ignoreExceptions().until(() -> one.execute(X, Lease::isHeld));
    }
}
