package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.harness.HistoryChecker;
import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.EngineCounters;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests under random faults that a lock has one holder at a time and that tokens grow; {@code -Dtest.faults.seed}
 * repeats a run.
 */
class RandomFaultTests {

    private static final Duration SLACK = Duration.ofSeconds(1);

    private final long seed = Long.getLong("test.faults.seed", System.nanoTime());

    @Test
    void noTwoHoldAndTokensGrowAndNothingIsLeft() throws Exception {
        List<LockTemplate> engines = new ArrayList<>();
        try (TestRedis redis = Backend.LETTUCE.startRedis();
                FaultRun run = FaultRun.with(redis, seed, (host, port) -> {
                    BatonContender contender = BatonContender.start(Backend.LETTUCE, host, port);
                    engines.add(contender.locks());
                    return contender;
                })) {
            List<HistoryEvent> events = run.run(Duration.ofSeconds(15));
            assertThat(HistoryChecker.violations(events)).as("seed %d", seed).isEmpty();
            // a run with few grants is not conclusive
            assertThat(events.stream().filter(event -> event.kind() == HistoryEvent.Kind.ACQUIRED))
                    .as("grants, seed %d", seed)
                    .hasSizeGreaterThan(50);
            await().atMost(FaultRun.LEASE
                            .plus(FaultRun.RECHECK.multipliedBy(14))
                            .plus(SLACK))
                    .untilAsserted(() -> assertThat(redis.keys())
                            .as("keys that are left, seed %d", seed)
                            .allMatch(key -> key.equals("lock:fence") || key.startsWith("lock:over:")));
            await().atMost(Duration.ofSeconds(5))
                    .untilAsserted(() -> assertThat(engines)
                            .as("engines with nothing to do, seed %d", seed)
                            .allSatisfy(engine -> {
                                assertThat(EngineCounters.openRequests(engine)).isZero();
                                assertThat(EngineCounters.awaitedNames(engine)).isZero();
                            }));
        }
    }

    /** On a busy machine the naive lock fails less often, so the run is repeated. */
    @Test
    void sameRunCatchesALockThatDeletesTheLockOfAnotherHolder() throws Exception {
        for (int round = 0; round < 5; round++) {
            try (TestRedis redis = TestRedis.start();
                    FaultRun run = FaultRun.with(redis, seed + round, NaiveContender::new)) {
                List<HistoryEvent> events = run.run(Duration.ofSeconds(8));
                if (!HistoryChecker.overlaps(events).isEmpty()) {
                    return;
                }
            }
        }
        throw new AssertionError("not caught in five runs from seed " + seed);
    }
}
