package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockCapabilities.Handler;
import dev.baton.lock.LockCapabilities.Topology;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockState;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.ReleaseMode;
import dev.baton.lock.harness.TestCluster;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Locks in a Redis Cluster of three masters, over each client. Each process is a Redis user with the listed rights. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.ClusterBackend#all")
class ClusterTests {

    /** Longer than any of these tests runs: no waiter asks twice. */
    private static final Duration LONG_RECHECK = Duration.ofMinutes(5);

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int WAITERS = 200;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final TestCluster cluster = ClusterBackend.shared();
    private final Processes processes;

    ClusterTests(ClusterBackend backend) {
        this.processes = new Processes(() -> backend.connect(cluster), store -> {});
    }

    @AfterEach
    void stop() throws Exception {
        threads.shutdownNow();
        processes.close();
        ClusterBackend.clear(cluster);
    }

    private static LockRequest request(String key) {
        return LockRequest.of("k", key).waitTime(BOUND);
    }

    /** Returns a key whose lock this master has. */
    private String keyAt(TestRedis master) {
        return IntStream.range(0, 1_000)
                .mapToObj(Integer::toString)
                .filter(key -> cluster.masterOf(cluster.slotOf("lock:lock:{k." + key + "}")) == master)
                .findFirst()
                .orElseThrow();
    }

    private long evalshas() {
        return cluster.masters().stream()
                .mapToLong(master -> master.commandStats().getOrDefault("evalsha", 0L))
                .sum();
    }

    @Test
    void capabilitiesNameTheTopology() {
        LockTemplate template = processes.start();
        assertThat(template.execute(request("x"), Lease::isHeld)).isTrue();
        assertThat(template.capabilities().topology()).isEqualTo(Topology.CLUSTER);
        assertThat(template.capabilities().handler()).isEqualTo(Handler.SCRIPT);
    }

    @Test
    void uncontendedPairIsTwoScriptsOnAnyMaster() {
        LockTemplate template = processes.start();
        List<String> keys = cluster.masters().stream().map(this::keyAt).toList();
        keys.forEach(key -> template.execute(request(key), lease -> 1));
        long before = evalshas();
        keys.forEach(key -> template.execute(request(key), lease -> 1));
        assertThat(evalshas() - before).isEqualTo(2L * keys.size());
    }

    /** No waiter asks twice: each hand-over depends on its message, from whichever master it comes. */
    @Test
    void contendedLocksOfEveryMasterAreHandedOverByMessages() throws Exception {
        List<LockTemplate> templates = new ArrayList<>();
        for (int p = 0; p < 3; p++) {
            templates.add(processes.start(builder -> builder.recheck(LONG_RECHECK)));
        }
        for (TestRedis master : cluster.masters()) {
            Contention.run(threads, templates, request(keyAt(master)), 50);
        }
        await().until(() ->
                templates.stream().allMatch(template -> template.engine().openRequests() == 0));
    }

    @Test
    void listShowsTheLocksOfEveryMaster() {
        LockTemplate template = processes.start();
        List<Lease> leases = IntStream.range(0, 40)
                .mapToObj(i -> template.acquire(request("l" + i)))
                .toList();
        assertThat(template.list("k.*", null).map(LockState::name))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 40).mapToObj(i -> "k.l" + i).toList());
        leases.forEach(Lease::close);
        assertThat(template.list("k.*", null)).isEmpty();
    }

    @Test
    void leasesOfEveryMasterAreRenewed() {
        LockTemplate template = processes.start(builder -> builder.expire(Duration.ofSeconds(1)));
        List<Lease> leases = IntStream.range(0, 30)
                .mapToObj(i -> template.acquire(request("r" + i)))
                .toList();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2_500);
        await().atMost(BOUND).until(() -> System.nanoTime() - end > 0);
        assertThat(leases).allMatch(Lease::isHeld).allMatch(Lease::release);
    }

    @Test
    void locksOfOneSlotAreGrantedTogetherAndOthersAreRefused() {
        LockTemplate one = processes.start();
        LockTemplate other = processes.start();
        LockRequest tagged = LockRequest.ofAll("k", List.of(LockNames.tagged("acme", 1), LockNames.tagged("acme", 2)));
        try (Lease lease = one.acquire(tagged.waitTime(BOUND))) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(other.tryAcquire(LockRequest.of("k", LockNames.tagged("acme", 2))))
                    .isEmpty();
        }
        LockRequest apart = LockRequest.ofAll(
                "k", cluster.masters().stream().map(this::keyAt).toList());
        assertThatThrownBy(() -> one.acquire(apart))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("different slots")
                .hasMessageContaining("LockNames.tagged");
        assertThat(cluster.keys()).allMatch(key -> key.contains(":fence:") || key.contains(":over:"));
    }

    /** Spring Data itself asks for the slots, too, when it connects over Jedis. */
    @Test
    void withoutClusterSlotsEveryLockIsRefusedWithTheRight() throws Exception {
        ClusterBackend lettuce = new ClusterBackend(Client.LETTUCE);
        try (Processes lost = new Processes(() -> lettuce.connect(cluster, ClusterBackend.LOST), store -> {})) {
            LockTemplate template = lost.startDeaf(builder -> {}).template();
            await().untilAsserted(() -> assertThatThrownBy(
                            () -> template.acquire(request("x").waitTime(Duration.ofSeconds(1))))
                    .isInstanceOf(LockStoreException.class)
                    .hasStackTraceContaining("NOPERM")
                    .hasStackTraceContaining("+cluster|slots"));
        }
    }

    @Test
    void pipelinedReleasesAreRefusedWithTheRemedy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> processes.startDeaf(builder -> builder.release(ReleaseMode.PIPELINED)))
                .withMessageContaining("Redis Cluster")
                .withMessageContaining("release: confirmed");
    }

    /** Two hundred threads of three processes want one lock all the time, while its slot goes round the masters. */
    @Test
    void slotThatMovesUnderWaitersLosesNoGrant() throws Exception {
        List<LockTemplate> templates = List.of(processes.start(), processes.start(), processes.start());
        String lock = "lock:lock:{k.moving}";
        int slot = cluster.slotOf(lock);
        TestRedis home = cluster.masterOf(slot);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger violations = new AtomicInteger();
        ConcurrentLinkedQueue<Long> tokens = new ConcurrentLinkedQueue<>();
        AtomicLong last = new AtomicLong(System.nanoTime());
        AtomicLong stall = new AtomicLong();
        CountDownLatch started = new CountDownLatch(WAITERS);
        List<Future<?>> work = new ArrayList<>();
        for (int t = 0; t < WAITERS; t++) {
            LockTemplate template = templates.get(t % templates.size());
            work.add(threads.submit(() -> {
                started.countDown();
                while (!over.get()) {
                    template.execute(request("moving"), lease -> {
                        if (inside.incrementAndGet() > 1) {
                            violations.incrementAndGet();
                        }
                        tokens.add(Objects.requireNonNull(lease).fencingToken());
                        long now = System.nanoTime();
                        stall.accumulateAndGet(now - last.getAndSet(now), Math::max);
                        inside.decrementAndGet();
                        return 1;
                    });
                }
                return null;
            }));
        }
        assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
        for (int move = 0; move < 12; move++) {
            int before = tokens.size();
            await().atMost(BOUND).until(() -> tokens.size() > before + 20);
            cluster.move(slot, cluster.masters().get((cluster.masters().indexOf(home) + move + 1) % 3));
        }
        assertThat(cluster.masterOf(slot)).as("the cluster is as it was").isSameAs(home);
        int before = tokens.size();
        await().atMost(BOUND).until(() -> tokens.size() > before + 20);
        over.set(true);
        for (Future<?> one : work) {
            one.get(60, TimeUnit.SECONDS);
        }
        System.out.printf(
                "%d acquisitions; the longest time without one was %d ms%n",
                tokens.size(), TimeUnit.NANOSECONDS.toMillis(stall.get()));
        assertThat(violations).hasValue(0);
        assertThat(new ArrayList<>(tokens)).isSorted().doesNotHaveDuplicates();
        assertThat(cluster.keys()).doesNotContain(lock);
    }
}
