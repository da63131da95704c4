package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.DistributedMutex;
import dev.baton.lock.Lease;
import dev.baton.lock.LockCapabilities;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What redis-em-mutex does, with each of its two handlers; the other process always uses scripts. One connection per
 * address, and what became of fork: {@link OwnerTests}. Its macro: the annotations.
 */
@ParameterizedClass
@EnumSource(names = {"SCRIPT", "TRANSACTION"})
class EmMutexTests {

    private static final LockRequest LOCK = LockRequest.of("resource", "lock");
    private static final String KEY = "lock:lock:{resource.lock}";

    private static TestRedis redis;

    private final LockHandler handler;
    private final ExecutorService fibers = Executors.newCachedThreadPool();
    private final Processes scripts = new Setup(WaitStrategy.GRANT, LockHandler.SCRIPT, Client.LETTUCE, 0).on(redis);
    private Processes processes;
    private LockTemplate one;
    private LockTemplate other;

    EmMutexTests(LockHandler handler) {
        this.handler = handler;
    }

    @BeforeAll
    static void startRedis() {
        redis = Backend.LETTUCE.startOpenRedis();
    }

    @AfterAll
    static void stopRedis() throws Exception {
        redis.close();
    }

    @BeforeEach
    void start() {
        processes = new Setup(WaitStrategy.GRANT, handler, Client.LETTUCE, 0).on(redis);
        // a recheck that helps no waiter here
        one = processes.start(builder -> builder.recheck(Duration.ofSeconds(30)));
        other = scripts.start(builder -> builder.recheck(Duration.ofSeconds(30)));
    }

    @AfterEach
    void stop() throws Exception {
        fibers.shutdownNow();
        processes.close();
        scripts.close();
        redis.command("FLUSHALL");
    }

    @Test
    void synchronizeRunsTheBlock() {
        assertThat(one.<String, RuntimeException>execute("resource", "lock", lease -> "done"))
                .isEqualTo("done");
        assertThat(other.isLocked(LOCK)).isFalse();
    }

    @Test
    void lockAndUnlock() {
        DistributedMutex mutex = one.mutex(LOCK);
        mutex.lock();
        try {
            assertThat(mutex.lease())
                    .hasValueSatisfying(lease -> assertThat(lease.isHeld()).isTrue());
            assertThat(other.mutex(LOCK).tryLock()).isFalse();
        } finally {
            mutex.unlock();
        }
        assertThat(mutex.lease()).isEmpty();
        assertThat(other.tryAcquire(LOCK)).hasValueSatisfying(Lease::close);
    }

    @Test
    void waiterIsSignalledAsSoonAsTheLockIsReleased() throws Exception {
        Lease held = one.acquire(LOCK);
        CompletableFuture<Lease> waiter = inFiber(() -> other.acquire(LOCK.waitUnbounded()));
        awaitQueued();
        held.release();
        assertThat(waiter.get(5, TimeUnit.SECONDS).release())
                .as("long before a recheck")
                .isTrue();
    }

    @Test
    void blockOfZeroDoesNotWait() {
        try (Lease lease = one.tryAcquire(LOCK).orElseThrow()) {
            assertThat(other.tryAcquire(LOCK)).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void blockTimesOut() {
        LockRequest request = LOCK.waitTime(Duration.ofMillis(750));
        try (Lease lease = other.acquire(LOCK)) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> one.execute(request, held -> "done"))
                    .isInstanceOfSatisfying(LockTimeoutException.class, ex -> {
                        assertThat(ex.isStuck()).isFalse();
                        assertThat(ex.waited()).isGreaterThanOrEqualTo(Duration.ofMillis(750));
                    });
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(750), Duration.ofSeconds(5));
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void lockExpiresAndRefreshExtendsIt() {
        Lease lease = one.acquire(LOCK.expire(Duration.ofSeconds(2)));
        assertThat(redis.ttl(KEY)).isBetween(1L, 2_000L);
        assertThat(lease.renew(Duration.ofMinutes(2))).isTrue();
        assertThat(redis.ttl(KEY)).isGreaterThan(100_000);
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(100));
        assertThat(lease.release()).isTrue();
    }

    @Test
    void refreshOfAnExpiredFreeLockTakesItAgain() {
        Lease lease = expired();
        assertThat(lease.renew(Duration.ofSeconds(20))).as("it was too late").isFalse();
        Lease fresh = lease.renewOrReacquire(Duration.ofSeconds(20)).orElseThrow();
        assertThat(fresh.isHeld()).isTrue();
        assertThat(fresh.fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(other.tryAcquire(LOCK)).isEmpty();
        assertThat(fresh.release()).isTrue();
    }

    @Test
    void refreshOfAnExpiredLockThatAnotherHasIsTooLate() {
        Lease lease = expired();
        try (Lease next = other.acquire(LOCK)) {
            assertThat(lease.renewOrReacquire(Duration.ofSeconds(20))).isEmpty();
            assertThat(next.isHeld()).isTrue();
        }
    }

    private Lease expired() {
        Lease lease = one.acquire(LOCK.expire(Duration.ofSeconds(1)));
        await().until(lease::isExpired);
        return lease;
    }

    @Test
    void capabilitiesNameTheHandler() {
        one.execute(LOCK, lease -> 1);
        LockCapabilities capabilities = one.capabilities();
        assertThat(capabilities.handler()).hasToString(handler.name());
    }

    @Test
    void bothHandlersShareTheSameLocks() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<Boolean>> sections = IntStream.range(0, 20)
                .mapToObj(i -> inFiber(() -> (i % 2 == 0 ? one : other).execute(LOCK.waitUnbounded(), lease -> {
                    boolean alone = inside.incrementAndGet() == 1;
                    Thread.yield();
                    return inside.decrementAndGet() == 0 && alone;
                })))
                .toList();
        for (CompletableFuture<Boolean> section : sections) {
            assertThat(section.get(15, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void severalAreLockedAllOrNone() {
        LockRequest all = LockRequest.ofAll("resource", List.of("foo", "bar", "baz"));
        Lease bar = other.acquire(LockRequest.of("resource", "bar"));
        assertThat(one.tryAcquire(all)).isEmpty();
        assertThat(other.tryAcquire(LockRequest.of("resource", "foo"))).hasValueSatisfying(Lease::close);
        bar.close();
        try (Lease lease = one.acquire(all)) {
            assertThat(lease.names()).containsExactly("resource.bar", "resource.baz", "resource.foo");
            assertThat(lease.names())
                    .allSatisfy(name -> assertThat(redis.keys()).contains("lock:lock:{" + name + "}"));
            assertThat(other.tryAcquire(LockRequest.of("resource", "baz"))).isEmpty();
        }
        assertThat(one.tryAcquire(LockRequest.of("resource", "foo").and(LockRequest.of("user", 7))))
                .hasValueSatisfying(lease -> {
                    assertThat(lease.names()).containsExactly("resource.foo", "user.7");
                    lease.close();
                });
    }

    @Test
    void severalInOppositeOrderDoNotDeadlock() throws Exception {
        LockTemplate first = processes.start(builder -> builder.recheck(Duration.ofMillis(100)));
        LockTemplate second = processes.start(builder -> builder.recheck(Duration.ofMillis(100)));
        List<CompletableFuture<Integer>> users = Stream.of(
                        users(first, List.of("foo", "bar")), users(second, List.of("bar", "foo")))
                .toList();
        for (CompletableFuture<Integer> user : users) {
            assertThat(user.get(20, TimeUnit.SECONDS)).isEqualTo(50);
        }
    }

    private CompletableFuture<Integer> users(LockTemplate process, List<String> order) {
        return inFiber(() -> {
            int done = 0;
            for (int i = 0; i < 50; i++) {
                done += process.execute(
                        LockRequest.ofAll("resource", order).waitTime(Duration.ofSeconds(10)), lease -> 1);
            }
            return done;
        });
    }

    @Test
    void namespacesAreApart() {
        LockOperations tudor = one.withNamespace("Tudor");
        try (Lease lease = tudor.acquire(LOCK)) {
            assertThat(lease.redisKeys()).containsExactly("lock:Tudor:lock:{resource.lock}");
            assertThat(other.tryAcquire(LOCK)).hasValueSatisfying(Lease::close);
            assertThat(other.withNamespace("Tudor").tryAcquire(LOCK)).isEmpty();
        }
    }

    @Test
    void stateOfALockIsKnown() {
        assertThat(other.isLocked(LOCK)).isFalse();
        Lease lease = one.acquire(LOCK.expire(Duration.ofSeconds(2)));
        assertThat(other.isLocked(LOCK)).as("whichever process asks").isTrue();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.isExpired()).isFalse();
        assertThat(lease.remaining()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(2));
        assertThat(lease.expiresAt())
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
        await().atMost(Duration.ofSeconds(6)).until(lease::isExpired);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        await().until(() -> !other.isLocked(LOCK));
    }

    @Test
    void lockedIsAskedWithEitherHandler() {
        assertThat(one.isLocked(LOCK)).isFalse();
        try (Lease lease = other.acquire(LOCK)) {
            assertThat(one.isLocked(LOCK)).isTrue();
            assertThat(one.inspect(LOCK).holder().orElseThrow().fencingToken()).isEqualTo(lease.fencingToken());
        }
        assertThat(one.isLocked(LOCK)).isFalse();
    }

    @Test
    void namesAndOwnerAreKnown() {
        try (Lease lease = one.acquire(LOCK.owner("fiber-1"))) {
            assertThat(lease.names()).containsExactly("resource.lock");
            assertThat(lease.redisKeys()).containsExactly(KEY);
            assertThat(lease.owner()).endsWith(":o:fiber-1");
            assertThat(other.inspect(LOCK).holder())
                    .hasValueSatisfying(holder -> assertThat(holder.owner()).isEqualTo(lease.owner()));
        }
    }

    @Test
    void lockingTwiceIsAnErrorIfAskedFor() {
        try (Lease lease = one.acquire(LOCK)) {
            assertThatThrownBy(() -> one.acquire(LOCK.reentrant(false))).isInstanceOf(LockDeadlockException.class);
            try (Lease inner = one.acquire(LOCK)) {
                assertThat(inner.fencingToken()).isEqualTo(lease.fencingToken());
            }
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void ownerIsSharedByFibers() throws Exception {
        LockRequest request = LOCK.owner("connection 17");
        Lease lease = one.acquire(request);
        Lease inner = inFiber(() -> one.acquire(request)).get(5, TimeUnit.SECONDS);
        assertThat(inner.fencingToken()).isEqualTo(lease.fencingToken());
        assertThat(one.tryAcquire(LOCK.owner("connection 18"))).isEmpty();
        assertThat(other.tryAcquire(request)).as("of another process").isEmpty();
        inner.close();
        lease.close();
    }

    @Test
    void anyFiberRefreshesAndUnlocks() throws Exception {
        Lease lease = one.acquire(LOCK.expire(Duration.ofSeconds(5)));
        assertThat(inFiber(() -> lease.renew(Duration.ofSeconds(60))).get(5, TimeUnit.SECONDS))
                .isTrue();
        assertThat(redis.ttl(KEY)).isGreaterThan(50_000);
        assertThat(inFiber(lease::release).get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(other.tryAcquire(LOCK)).hasValueSatisfying(Lease::close);
    }

    @Test
    void fibersWaitWithoutAThread() throws Exception {
        Lease held = other.acquire(LOCK);
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<Integer>> waiting = IntStream.range(0, 20)
                .mapToObj(i -> one.executeAsync(LOCK.waitUnbounded(), lease -> {
                            assertThat(inside.incrementAndGet()).isEqualTo(1);
                            return CompletableFuture.supplyAsync(inside::decrementAndGet, fibers);
                        })
                        .toCompletableFuture())
                .toList();
        processes.awaitWaiting(redis, "lock:queue:{resource.lock}", 20);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        held.release();
        for (CompletableFuture<Integer> section : waiting) {
            assertThat(section.get(10, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void stopEndsTheSubscription() {
        await().until(() -> subscribers() == 2);
        one.close();
        await().until(() -> subscribers() == 1);
    }

    @Test
    void holderThatRunsOnAfterItsLockIsTold() {
        assertThatThrownBy(() -> one.execute(LOCK.expire(Duration.ofSeconds(1)), lease -> {
                    await().until(lease::isExpired);
                    return "done";
                }))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.result()).isEqualTo("done"));
    }

    @Test
    @SuppressWarnings("WaitNotInLoop")
    void handlerWithoutConditionsRefusesThem() throws InterruptedException {
        DistributedMutex mutex = one.mutex(LOCK);
        Condition condition = mutex.newCondition();
        mutex.lock();
        try {
            if (handler == LockHandler.TRANSACTION) {
                assertThatThrownBy(() -> condition.await(50, TimeUnit.MILLISECONDS))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("resource.lock")
                        .hasMessageEndingWith("use handler script (baton.handler)");
                assertThat(mutex.lease().orElseThrow().isHeld()).isTrue();
            } else {
                assertThat(condition.await(50, TimeUnit.MILLISECONDS)).isFalse();
            }
        } finally {
            mutex.unlock();
        }
    }

    private <T> CompletableFuture<T> inFiber(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, fibers);
    }

    private void awaitQueued() {
        await().until(() -> redis.keys().contains("lock:queue:{resource.lock}"));
    }

    private long subscribers() {
        return redis.command("CLIENT", "LIST", "TYPE", "pubsub")
                .toString()
                .lines()
                .count();
    }
}
