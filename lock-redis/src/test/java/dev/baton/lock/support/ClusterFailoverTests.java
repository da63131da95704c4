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
import java.util.stream.IntStream;
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

    /** Only renewals are sent while the lock is held, and only they can find out that its master was replaced. */
    @Test
    @Tag("nightly")
    void acknowledgedRenewalsFollowTheLockFromMasterToMaster() throws Exception {
        try (Processes acknowledged = new Processes(() -> backend.connect(cluster), store -> store.replicasToAck(1))) {
            LockTemplate template = acknowledged.start(builder -> builder.expire(Duration.ofSeconds(3)));
            Lease lease = template.acquire(X.waitTime(FAILOVER));
            for (int failover = 0; failover < 3; failover++) {
                TestRedis master = cluster.masterOf(cluster.slotOf(LOCK));
                TestRedis next = cluster.inOneShard(master);
                next.command("CLUSTER", "FAILOVER");
                await().atMost(FAILOVER).until(() -> cluster.masterOf(cluster.slotOf(LOCK)) == next);
                await().atMost(FAILOVER)
                        .until(() -> String.valueOf(master.command("INFO", "replication"))
                                .contains("master_link_status:up"));
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
                await().atMost(FAILOVER).until(() -> System.nanoTime() - end > 0);
                assertThat(lease.isHeld()).as("after failover %d", failover).isTrue();
            }
            assertThat(lease.renew()).isTrue();
            assertThat(lease.release()).isTrue();
        }
    }

    /** Grants of the new master pause, those of the other masters do not. */
    @Test
    @Tag("nightly")
    void onlyGrantsOfTheNewMasterPause() throws Exception {
        Duration longest = Duration.ofSeconds(2);
        String elsewhere = IntStream.range(0, 1_000)
                .mapToObj(i -> "k" + i)
                .filter(key -> cluster.masterOf(cluster.slotOf("lock:lock:{x." + key + "}"))
                        != cluster.masterOf(cluster.slotOf(LOCK)))
                .findFirst()
                .orElseThrow();
        try (Processes pausing = new Processes(
                () -> backend.connect(cluster),
                store -> store.longestExpire(longest).pauseAfterFailover(true))) {
            LockTemplate template = pausing.start(builder -> builder.expire(longest));
            for (LockRequest request : List.of(X, LockRequest.of("x", elsewhere))) {
                template.execute(request.waitTime(FAILOVER), lease -> 1);
                assertThat(template.tryExecute(request, Lease::isHeld).isExecuted())
                        .isTrue();
            }
            TestRedis next = cluster.inOneShard(cluster.masterOf(cluster.slotOf(LOCK)));
            next.command("CLUSTER", "FAILOVER");
            await().atMost(FAILOVER).until(() -> cluster.masterOf(cluster.slotOf(LOCK)) == next);
            long begun = System.nanoTime();
            template.execute(X.waitTime(FAILOVER), lease -> 1);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(longest.minusMillis(200));
            assertThat(template.tryExecute(X, Lease::isHeld).isExecuted()).isTrue();
            assertThat(template.tryExecute(LockRequest.of("x", elsewhere), Lease::isHeld)
                            .isExecuted())
                    .isTrue();
        }
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
