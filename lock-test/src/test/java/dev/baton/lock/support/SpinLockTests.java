package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.test.TestRedis;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the spin lock on SADD does: test and set, sleep a little, try again; and tells whether it had to compete. */
class SpinLockTests {

    private final TestRedis redis = Backend.LETTUCE.startOpenRedis();
    private Processes processes;
    private LockTemplate one;
    private LockTemplate other;

    @BeforeEach
    void start() {
        processes = new Setup(WaitStrategy.POLLING, LockHandler.SCRIPT, Client.LETTUCE, 0).on(redis);
        one = processes.startDeaf(builder -> {}).template();
        other = processes.startDeaf(builder -> {}).template();
    }

    @AfterEach
    void stop() throws Exception {
        processes.close();
        redis.close();
    }

    @Test
    void whoDidNotSpinDidNotCompete() {
        one.executeWithoutResult(
                LockRequest.of("resource"),
                lease -> assertThat(lease.contended()).isFalse());
    }

    @Test
    void whoSpunKnowsThatItCompeted() throws Exception {
        Lease held = one.acquire(LockRequest.of("resource"));
        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(
                () -> other.execute(LockRequest.of("resource").waitUnbounded(), Lease::contended));
        await().until(() -> other.engine().awaitedNames() == 1);
        held.release();
        assertThat(waiter.get(5, TimeUnit.SECONDS)).isTrue();
    }

    /** The seed's set has no expiry: whoever dies in the section keeps it for ever. */
    @Test
    void lockOfADeadHolderComesFree() {
        redis.command("HSET", "lock:lock:{resource.global}", "mode", "x", "id", "dead:1", "token", "1");
        redis.command("PEXPIRE", "lock:lock:{resource.global}", "300");
        assertThat(other.acquire(LockRequest.of("resource").waitTime(Duration.ofSeconds(5)))
                        .release())
                .isTrue();
    }

    @Test
    void cacheIsLookedIntoAgainAndTheOperationRunsOnce() throws Exception {
        Map<String, String> cache = new ConcurrentHashMap<>();
        AtomicInteger operations = new AtomicInteger();
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> lookup(one, cache, operations));
        CompletableFuture<String> second = CompletableFuture.supplyAsync(() -> lookup(other, cache, operations));
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("expensive");
        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("expensive");
        assertThat(operations).hasValue(1);
    }

    private static String lookup(LockTemplate process, Map<String, String> cache, AtomicInteger operations) {
        String known = cache.get("resource");
        return known != null
                ? known
                : process.execute(LockRequest.of("resource"), lease -> {
                    if (!cache.containsKey("resource")) {
                        operations.incrementAndGet();
                        cache.put("resource", "expensive");
                    }
                    return cache.get("resource");
                });
    }
}
