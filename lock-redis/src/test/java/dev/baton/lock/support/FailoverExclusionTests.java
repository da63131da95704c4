package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TcpProxy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * Two processes hold one lock in turns, while primary after primary dies, each time with a replica that does not have the
 * last grant. The processes count how many are inside; nothing of the lock takes part in that. {@code test.failovers} sets
 * the number of failovers.
 */
@Tag("nightly")
class FailoverExclusionTests {

    private static final int FAILOVERS = Integer.getInteger("test.failovers", 5);
    private static final LockRequest X = LockRequest.of("x").waitTime(Duration.ofSeconds(5));
    private static final String LOCK = "lock:lock:{x.global}";
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration BEHIND = Duration.ofMillis(700);
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean resting = new AtomicBoolean();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicInteger turns = new AtomicInteger();
    /** How many requests have failed, because their primary was replaced. */
    private final AtomicInteger failed = new AtomicInteger();

    private final Backend backend = Backend.LETTUCE;

    private TestInfo test;

    @BeforeEach
    void remember(TestInfo test) {
        this.test = test;
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void noTwoAreInsideIfAReplicaHasEachGrantThatCounts() throws Exception {
        failOver(store -> store.replicasToAck(1));
        assertThat(overlaps).as("of %d turns", turns.get()).hasValue(0);
    }

    @Test
    void noTwoAreInsideIfGrantsPauseAfterAFailover() throws Exception {
        failOver(store -> store.longestExpire(LEASE).pauseAfterFailover(true));
        assertThat(overlaps).as("of %d turns", turns.get()).hasValue(0);
    }

    /** Shows that the test can see a loss, and how often one is. */
    @Test
    void withoutAcknowledgementsAGrantCanBeLost() throws Exception {
        failOver(store -> {});
        assertThat(overlaps).as("of %d turns", turns.get()).hasPositiveValue();
    }

    private void failOver(Consumer<RedisLockStore.Builder> settings) throws Exception {
        TestRedis primary = backend.startOpenRedis("repl-diskless-sync yes", "repl-diskless-sync-delay 0");
        try (TcpProxy front = TcpProxy.to(primary);
                Processes processes = new Processes(() -> backend.connect(front.host(), front.port()), settings)) {
            TcpProxy link = TcpProxy.to(primary);
            TestRedis replica = replica(link);
            List<Future<?>> work = new ArrayList<>();
            for (int p = 0; p < 2; p++) {
                LockTemplate process = processes.start(builder ->
                        builder.commandTimeout(Duration.ofMillis(300)).expire(LEASE));
                work.add(threads.submit(() -> takeTurns(process)));
            }
            for (int failover = 0; failover < FAILOVERS; failover++) {
                int before = turns.get();
                await().atMost(BOUND).until(() -> turns.get() > before);
                // the replica knows that the lock is free, and learns nothing more
                TestRedis behind = replica;
                resting.set(true);
                await().atMost(BOUND)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> inside.get() == 0 && !behind.keys().contains(LOCK));
                link.swallow();
                resting.set(false);
                long end = System.nanoTime() + BEHIND.toNanos();
                await().pollInterval(Duration.ofMillis(1)).until(() -> inside.get() > 0 || System.nanoTime() - end > 0);
                primary.stop();
                link.close();
                replica.command("REPLICAOF", "NO", "ONE");
                front.retarget(replica);
                front.cut();
                primary = replica;
                link = TcpProxy.to(primary);
                replica = replica(link);
            }
            over.set(true);
            for (Future<?> one : work) {
                one.get(BOUND.toSeconds(), TimeUnit.SECONDS);
            }
            replica.close();
            link.close();
        } finally {
            primary.close();
        }
        System.out.printf(
                "%s: %d overlaps in %d failovers and %d turns; %d requests failed%n",
                test.getDisplayName(), overlaps.get(), FAILOVERS, turns.get(), failed.get());
    }

    private TestRedis replica(TcpProxy link) {
        TestRedis replica = backend.startOpenRedis("replicaof " + link.host() + " " + link.port());
        await().atMost(BOUND)
                .until(() ->
                        String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
        return replica;
    }

    private Void takeTurns(LockTemplate process) {
        while (!over.get()) {
            try {
                process.execute(X, lease -> {
                    if (inside.incrementAndGet() > 1) {
                        overlaps.incrementAndGet();
                    }
                    pause(600, 1_000);
                    inside.decrementAndGet();
                    turns.incrementAndGet();
                    return 1;
                });
            } catch (LockException ex) {
                failed.incrementAndGet();
            }
            do {
                pause(5, 10);
            } while (resting.get());
        }
        return null;
    }

    private static void pause(int least, int most) {
        LockSupport.parkNanos(
                TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextInt(least, most)));
    }
}
