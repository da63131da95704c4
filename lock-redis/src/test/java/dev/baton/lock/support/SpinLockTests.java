package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the spin lock on SADD does: test and set, sleep a little, try again; and tells whether it had to compete. */
class SpinLockTests {

    private static final LockRequest RESOURCE = LockRequest.of("resource");

    private static TestRedis redis;

    private final Map<String, String> cache = new ConcurrentHashMap<>();
    private final AtomicInteger operations = new AtomicInteger();
    private Processes processes;
    private LockTemplate one;
    private LockTemplate other;

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
        processes = new Setup(WaitStrategy.POLLING, LockHandler.SCRIPT, Client.LETTUCE, 0).on(redis);
        one = processes.startDeaf(builder -> {}).template();
        other = processes.startDeaf(builder -> {}).template();
    }

    @AfterEach
    void stop() throws Exception {
        processes.close();
        redis.command("FLUSHALL");
    }

    @Test
    void ownerThatDidNotSpinDidNotCompete() {
        one.executeWithoutResult(RESOURCE, lease -> {
            assertThat(lease.contended()).isFalse();
            assertThat(lease.attempts()).isEqualTo(1);
        });
    }

    @Test
    void ownerThatSpunKnowsThatItCompeted() throws Exception {
        Lease held = one.acquire(RESOURCE);
        CompletableFuture<Integer> waiter =
                CompletableFuture.supplyAsync(() -> other.execute(RESOURCE.waitUnbounded(), lease -> {
                    assertThat(lease.contended()).isTrue();
                    assertThat(lease.waited()).isPositive();
                    return lease.attempts();
                }));
        await().until(() -> other.engine().awaitedNames() == 1);
        redis.resetStats();
        await().until(() -> redis.commandStats().getOrDefault("evalsha", 0L) >= 3);
        held.release();
        assertThat(waiter.get(5, TimeUnit.SECONDS))
                .as("spins, and the one that got it")
                .isGreaterThan(3);
    }

    /** A recheck of 40 s is no help. */
    @Test
    void sleepIsTheIntervalOfPolling() throws Exception {
        LockTemplate spinning = processes
                .startDeaf(builder -> builder.recheck(Duration.ofSeconds(40)))
                .template();
        Lease held = one.acquire(RESOURCE);
        redis.resetStats();
        CompletableFuture<Lease> waiter =
                CompletableFuture.supplyAsync(() -> spinning.acquire(RESOURCE.waitTime(Duration.ofSeconds(20))));
        await().until(() -> redis.commandStats().containsKey("evalsha"));
        held.release();
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
    }

    /** In the original, each call has its own sleep. A recheck of 40 s is no help, nor is the interval of the process. */
    @Test
    void sleepIsThatOfTheRequest() throws Exception {
        LockTemplate spinning = processes
                .startDeaf(builder -> builder.recheck(Duration.ofSeconds(40))
                        .scope(LockRequest.of("resource").pollingInterval(Duration.ofHours(1))))
                .template();
        Lease held = one.acquire(RESOURCE);
        redis.resetStats();
        CompletableFuture<Lease> waiter = CompletableFuture.supplyAsync(() ->
                spinning.acquire(RESOURCE.waitTime(Duration.ofSeconds(20)).pollingInterval(Duration.ofMillis(50))));
        await().until(() -> redis.commandStats().getOrDefault("evalsha", 0L) > 3);
        held.release();
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
    }

    @Test
    void lockSetIsANamespace() {
        try (Lease lease = one.withNamespace("named_locks").acquire(RESOURCE)) {
            assertThat(lease.redisKeys()).containsExactly("lock:named_locks:lock:{resource.global}");
            assertThat(other.withNamespace("named_locks").tryAcquire(RESOURCE)).isEmpty();
            assertThat(other.tryAcquire(RESOURCE)).hasValueSatisfying(Lease::close);
        }
    }

    @Test
    void lockIsReleasedAlsoIfTheSectionFails() {
        assertThatThrownBy(() -> one.execute(RESOURCE, lease -> {
                    throw new IOException("broken");
                }))
                .isInstanceOf(IOException.class);
        assertThat(other.tryAcquire(RESOURCE)).hasValueSatisfying(Lease::close);
    }

    /** The seed's set has no expiry: an owner that dies in the section keeps the lock for ever. */
    @Test
    void lockOfADeadHolderComesFree() {
        redis.command("SET", "lock:lock:{resource.global}", "2 x dead:1 1 1 owner label");
        redis.command("PEXPIRE", "lock:lock:{resource.global}", "300");
        assertThat(other.acquire(RESOURCE.waitTime(Duration.ofSeconds(5))).release())
                .isTrue();
    }

    @Test
    void cacheIsLookedIntoAgainAndTheOperationRunsOnce() throws Exception {
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> lookup(one));
        CompletableFuture<String> second = CompletableFuture.supplyAsync(() -> lookup(other));
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("expensive");
        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("expensive");
        assertThat(operations).hasValue(1);
    }

    /** The seed looks again only after it had to spin, and would compute here. */
    @Test
    void cacheIsLookedIntoAgainAlsoWithoutHavingWaited() {
        AtomicInteger looks = new AtomicInteger();
        String found = one.computeIfAbsent(
                RESOURCE,
                () -> {
                    if (looks.incrementAndGet() == 1) {
                        // another process computes between the look and the lock
                        lookup(other);
                        return null;
                    }
                    return cache.get("resource");
                },
                () -> "computed twice",
                value -> cache.put("resource", value));
        assertThat(found).isEqualTo("expensive");
        assertThat(looks).hasValue(2);
        assertThat(operations).hasValue(1);
    }

    private String lookup(LockTemplate process) {
        return process.computeIfAbsent(
                RESOURCE,
                () -> cache.get("resource"),
                () -> {
                    operations.incrementAndGet();
                    return "expensive";
                },
                value -> cache.put("resource", value));
    }
}
