package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestCluster;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The master of a lock dies while the lock is held and waited for. Its replica takes the slots over. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.ClusterBackend#all")
@Tag("once")
class ClusterFailoverTests {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final LockRequest X = LockRequest.of("x");
    /** What a failover takes, on a busy machine. */
    private static final Duration FAILOVER = Duration.ofSeconds(40);

    private final ClusterBackend backend;
    private TestCluster cluster;
    private Processes processes;

    ClusterFailoverTests(ClusterBackend backend) {
        this.backend = backend;
    }

    @BeforeEach
    void start() {
        cluster = ClusterBackend.start();
        processes = new Processes(() -> backend.connect(cluster), store -> {});
    }

    @AfterEach
    void stop() throws Exception {
        processes.close();
        cluster.close();
    }

    @Test
    void lockThatTheReplicaKnewOutlivesItsMasterAndIsHandedOver() throws Exception {
        LockTemplate one = processes.start();
        LockTemplate other = processes.start();
        int slot = cluster.slotOf(LOCK);
        TestRedis master = cluster.masterOf(slot);
        TestRedis replica = cluster.replicaOf(master);
        Lease lease = one.acquire(X.expire(Duration.ofMinutes(2)).waitTime(FAILOVER));
        await().until(() -> replica.keys().contains(LOCK));
        List<CompletableFuture<Long>> waiters = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            LockTemplate waiting = i % 2 == 0 ? one : other;
            waiters.add(CompletableFuture.supplyAsync(
                    () -> waiting.execute(X.waitTime(FAILOVER.multipliedBy(2)), next -> next.fencingToken())));
        }
        processes.awaitWaiting(6);

        master.stop();
        await().atMost(FAILOVER).ignoreExceptions().until(() -> cluster.masterOf(slot) == replica);
        await().atMost(FAILOVER).ignoreExceptions().until(lease::renew);
        assertThat(waiters).noneMatch(CompletableFuture::isDone);
        assertThat(lease.release()).isTrue();
        for (CompletableFuture<Long> waiter : waiters) {
            assertThat(waiter.get(60, TimeUnit.SECONDS)).isGreaterThan(lease.fencingToken());
        }
        await().atMost(FAILOVER).untilAsserted(() -> assertMessagesArrive(one, other));
        assertThat(replica.keys()).doesNotContain(LOCK);
    }

    /** A waiter that would ask again only after a second gets the lock sooner. */
    private void assertMessagesArrive(LockTemplate one, LockTemplate other) throws Exception {
        Lease lease = one.acquire(X);
        CompletableFuture<Long> waiter =
                CompletableFuture.supplyAsync(() -> other.execute(X, next -> System.nanoTime()));
        processes.awaitWaiting(1);
        long released = System.nanoTime();
        lease.close();
        assertThat(Duration.ofNanos(waiter.get(20, TimeUnit.SECONDS) - released))
                .isLessThan(Duration.ofMillis(500));
    }
}
