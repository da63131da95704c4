package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.harness.HistoryChecker;
import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.EngineCounters;
import dev.baton.lock.support.LockTemplate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests under random faults of servers and of networks that a lock has one holder at a time, that tokens grow, that waits
 * are bounded and that nothing is left. {@code test.topology.seconds} sets the length of each run, and
 * {@code test.faults.seed} repeats the faults of a run.
 */
class TopologyFaultTests {

    private static final Duration SLACK = Duration.ofSeconds(2);

    private final long seed = Long.getLong("test.faults.seed", System.nanoTime());

    /** Returns how long a run lasts. */
    Duration length() {
        return Duration.ofSeconds(Long.getLong("test.topology.seconds", 10));
    }

    @Test
    @Tag("once")
    void primaryBehindSentinelsWithAcknowledgedGrants() throws Exception {
        run(new SentinelTopology(false), store -> store.replicasToAck(2));
    }

    @Test
    @Tag("nightly")
    void primaryBehindSentinelsThatCrashesWithAPause() throws Exception {
        run(new SentinelTopology(true), TopologyFaultTests::pausing);
    }

    @Test
    @Tag("once")
    void clusterWithAcknowledgedGrants() throws Exception {
        run(
                new ClusterTopology(List.of("lock:lock:{one.global}", "lock:lock:{two.global}")),
                store -> store.replicasToAck(1));
    }

    @Test
    @Tag("once")
    void serverThatRestartsWithoutItsDataWithAPause(@TempDir Path directory) throws Exception {
        run(new RestartTopology(false, directory), TopologyFaultTests::pausing);
    }

    @Test
    @Tag("nightly")
    void serverThatRestartsWithTheDataOnItsDiskWithAPause(@TempDir Path directory) throws Exception {
        run(new RestartTopology(true, directory), TopologyFaultTests::pausing);
    }

    /** Shows that a run can find two holders: without a pause, each restart loses what is held. */
    @Test
    @Tag("nightly")
    void sameRunFindsTwoHoldersWithoutAPause(@TempDir Path directory) throws Exception {
        for (int round = 0; round < 10; round++) {
            Topology topology = new RestartTopology(false, directory);
            // other faults in each round, because some seeds restart the server only once; and leases that outlast a
            // restart
            try (FaultRun run = new FaultRun(
                    topology, seed + round, process -> start(topology, store -> {}, Duration.ofSeconds(3)))) {
                if (!HistoryChecker.overlaps(run.run(Duration.ofSeconds(10))).isEmpty()) {
                    return;
                }
            }
        }
        throw new AssertionError("not found in ten runs, seed " + seed);
    }

    private static void pausing(RedisLockStore.Builder store) {
        store.longestExpire(FaultRun.LEASE).pauseAfterFailover(true);
    }

    private static BatonContender start(
            Topology topology, Consumer<RedisLockStore.Builder> settings, Duration limited) {
        return BatonContender.start(topology.connect(), settings, limited);
    }

    private void run(Topology topology, Consumer<RedisLockStore.Builder> settings) throws Exception {
        List<LockTemplate> engines = new ArrayList<>();
        try (FaultRun run = new FaultRun(topology, seed, process -> {
            BatonContender contender = start(topology, settings, FaultRun.LIMITED);
            engines.add(contender.locks());
            return contender;
        })) {
            List<HistoryEvent> events = run.run(length());
            assertThat(HistoryChecker.violations(events))
                    .as("seed %d, faults %s", seed, run.happened())
                    .isEmpty();
            // a run with few grants is not conclusive
            assertThat(events.stream().filter(event -> event.kind() == HistoryEvent.Kind.ACQUIRED))
                    .as("grants, seed %d, faults %s", seed, run.happened())
                    .hasSizeGreaterThan(10);
            assertThat(run.latest()).as("longest wait beyond its bound").isLessThan(SLACK);
            await().atMost(FaultRun.LEASE
                            .plus(FaultRun.RECHECK.multipliedBy(14))
                            .plus(SLACK))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(topology.keys())
                            .as("keys that are left, seed %d", seed)
                            .allMatch(key -> key.contains(":fence")
                                    || key.contains(":primary")
                                    || key.startsWith("lock:over:")));
            // Lettuce may pause for half a minute before it connects again
            await().atMost(Duration.ofSeconds(40))
                    .untilAsserted(() -> assertThat(engines)
                            .as("engines with nothing to do, seed %d", seed)
                            .allSatisfy(engine -> {
                                assertThat(EngineCounters.openRequests(engine)).isZero();
                                assertThat(EngineCounters.awaitedNames(engine)).isZero();
                            }));
        }
    }
}
