package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockScope;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What Cloud 66's mutex does: part 1 rechecks in an interval, part 2 waits for del and expired; the rest is the same. */
@ParameterizedClass
@EnumSource(names = {"POLLING", "KEYSPACE"})
class CloudMutexTests {

    private static final LockRequest ACCESS = LockRequest.of("server_access").expire(Duration.ofSeconds(10));
    private static final String SERVER_42 = "lock:lock:{server_access.42}";
    private static final Duration NEVER = Duration.ofSeconds(40);

    private static TestRedis redis;

    private final WaitStrategy strategy;
    private Processes processes;
    private LockTemplate one;
    private LockTemplate other;

    CloudMutexTests(WaitStrategy strategy) {
        this.strategy = strategy;
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
        processes = new Setup(strategy, LockHandler.SCRIPT, Client.LETTUCE, 0).on(redis);
        one = processes.startDeaf(builder -> {}).template();
        other = processes.startDeaf(builder -> {}).template();
    }

    @AfterEach
    void stop() throws Exception {
        processes.close();
        redis.command("FLUSHALL");
    }

    @Test
    void constantSaysScopeAndMaximumLockTimeOnce() {
        access(one).executeWithoutResult(42, lease -> {
            assertThat(lease.names()).containsExactly("server_access.42");
            assertThat(lease.redisKeys()).containsExactly(SERVER_42);
            assertThat(redis.ttl(SERVER_42)).isBetween(7_000L, 10_000L);
        });
    }

    @Test
    void synchroniseRunsTheBlockAndReturnsItsResult() {
        String result = access(one).execute(42, lease -> "deployed");
        assertThat(result).isEqualTo("deployed");
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void localScopeIsGlobalUnlessGiven() {
        assertThat(access(one).<List<String>, RuntimeException>execute(Lease::redisKeys))
                .containsExactly("lock:lock:{server_access.global}");
        try (Lease lease = one.acquire(ACCESS)) {
            assertThat(lease.names()).containsExactly("server_access.global");
        }
    }

    /** A recheck of 40 s is no help: part 1 asks in its interval, part 2 is told. */
    @Test
    void freeLockIsFoundWithinTheRecheckFrequency() throws Exception {
        LockTemplate waiting =
                processes.startDeaf(builder -> builder.recheck(NEVER)).template();
        Lease held = one.acquire(ACCESS);
        redis.resetStats();
        CompletableFuture<Lease> waiter =
                CompletableFuture.supplyAsync(() -> waiting.acquire(ACCESS.waitTime(Duration.ofSeconds(20))));
        await().until(() -> redis.commandStats().containsKey("evalsha"));
        held.release();
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
    }

    /** In the original, each mutex has its own. It joins no queue, so it stands behind no other. */
    @Test
    void recheckFrequencyIsThatOfTheMutex() throws Exception {
        LockTemplate waiting =
                processes.startDeaf(builder -> builder.recheck(NEVER)).template();
        LockScope mutex = access(waiting)
                .waitStrategy(WaitStrategy.POLLING)
                .pollingInterval(Duration.ofMillis(50))
                .waitTime(Duration.ofSeconds(20));
        Lease held = one.acquire(ACCESS);
        redis.resetStats();
        CompletableFuture<Lease> waiter = CompletableFuture.supplyAsync(() -> mutex.acquire(LockRequest.GLOBAL));
        await().until(() -> redis.commandStats().getOrDefault("evalsha", 0L) > 3);
        held.release();
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
    }

    @Test
    void lockOfACrashedHolderExpires() {
        redis.command("SET", SERVER_42, "2 x dead:1 1 1 owner label");
        redis.command("PEXPIRE", SERVER_42, "300");
        assertThat(access(other).waitTime(Duration.ofSeconds(5)).<Boolean, RuntimeException>execute(42, Lease::isHeld))
                .isTrue();
    }

    @Test
    void localScopesDoNotWaitForEachOther() {
        try (Lease lease = one.acquire(LockRequest.of("server_access", 1))) {
            assertThat(other.tryAcquire(LockRequest.of("server_access", 2))).isPresent();
            assertThat(other.tryAcquire(LockRequest.of("server_access", 1))).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void acquireWaitsUntilTheHolderReleases() throws Exception {
        Lease held = one.acquire(ACCESS);
        CompletableFuture<Lease> waiter = CompletableFuture.supplyAsync(() -> other.acquire(ACCESS.waitUnbounded()));
        assertThat(waiter).isNotDone();
        held.release();
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
    }

    @Test
    void acquireWaitsUntilTheMaximumLockTimeHasPassed() throws Exception {
        Lease held = one.acquire(ACCESS.expire(Duration.ofSeconds(1)));
        assertThat(other.acquire(ACCESS.waitUnbounded()).release()).isTrue();
        assertThat(held.isExpired()).isTrue();
    }

    @Test
    void lockIsReleasedWhenTheBlockThrows() {
        assertThatThrownBy(() -> one.execute("server_access", 42, lease -> {
                    throw new IllegalStateException("broken");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken");
        assertThat(other.tryAcquire(LockRequest.of("server_access", 42))).isPresent();
    }

    @Test
    void releaseSaysWhetherItWasStillHeldAndTouchesNoOtherHolder() throws Exception {
        Lease held = one.acquire(ACCESS.expire(Duration.ofSeconds(1)));
        Lease next = other.acquire(ACCESS.waitUnbounded());
        assertThat(held.release()).isFalse();
        assertThat(next.isHeld()).isTrue();
        assertThat(next.release()).isTrue();
    }

    /** Both seeds leave out what a process that ran on after its lock time would do. */
    @Test
    void twoProcessesCountTogether() throws Exception {
        AtomicInteger counter = new AtomicInteger();
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> count(one, counter));
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> count(other, counter));
        CompletableFuture.allOf(first, second).get(30, TimeUnit.SECONDS);
        assertThat(counter).hasValue(60);
    }

    private static LockScope access(LockTemplate process) {
        return process.scope("server_access").expire(Duration.ofSeconds(10));
    }

    private static void count(LockTemplate process, AtomicInteger counter) {
        for (int i = 0; i < 30; i++) {
            process.executeWithoutResult(ACCESS.waitTime(Duration.ofSeconds(20)), lease -> {
                int read = counter.get();
                Thread.yield();
                counter.set(read + 1);
            });
        }
    }
}
