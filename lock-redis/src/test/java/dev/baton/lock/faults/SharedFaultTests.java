package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.faults.HoldHistory.Kind;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.EngineCounters;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests readers and writers, holders of permits, and holders that await conditions under faults of the network and of
 * Redis.
 */
@Tag("nightly")
class SharedFaultTests {

    private static final Duration SLACK = Duration.ofSeconds(1);

    private final long seed = Long.getLong("test.faults.seed", System.nanoTime());
    private final HoldHistory history = new HoldHistory();

    @Test
    void noWriterOverlapsAnyHolderAndTokensGrow() throws Exception {
        AtomicLong downgrades = new AtomicLong();
        run(contender -> new SharedContender(contender, history, downgrades));
        assertThat(history.violations()).as("seed %d", seed).isEmpty();
        // a run with few grants is not conclusive
        assertThat(history.count(Kind.READER)).as("readers, seed %d", seed).isGreaterThan(30);
        assertThat(history.count(Kind.WRITER)).as("writers, seed %d", seed).isGreaterThan(10);
        assertThat(downgrades).as("downgrades, seed %d", seed).hasValueGreaterThan(2);
    }

    @Test
    void noMorePermitsAreInUseThanThereAre() throws Exception {
        run(contender -> new PermitContender(contender, history));
        assertThat(history.permitViolations(PermitContender.SIZE))
                .as("seed %d", seed)
                .isEmpty();
        assertThat(history.count(Kind.PERMITS)).as("grants, seed %d", seed).isGreaterThan(50);
    }

    @Test
    void waitsAtConditionsKeepTheirLocksExclusiveAndTheirBounds() throws Exception {
        ConditionContender.Waits waits = new ConditionContender.Waits();
        run(contender -> new ConditionContender(contender, history, waits));
        assertThat(history.violations()).as("seed %d", seed).isEmpty();
        assertThat(waits.late()).as("seed %d", seed).isEmpty();
        assertThat(history.count(Kind.WRITER)).as("holds, seed %d", seed).isGreaterThan(40);
        assertThat(waits.signals()).as("signals, seed %d", seed).isGreaterThan(5);
        assertThat(waits.signalled())
                .as("waits that were signalled, seed %d", seed)
                .isGreaterThan(3);
    }

    /** Runs contenders under faults, and asserts that nothing is left of their locks. */
    private void run(Function<BatonContender, Contender> kind) throws Exception {
        List<LockTemplate> templates = new ArrayList<>();
        try (TestRedis redis = Backend.LETTUCE.startRedis();
                FaultRun run = FaultRun.with(redis, seed, (host, port) -> {
                    BatonContender contender = BatonContender.start(Backend.LETTUCE, host, port);
                    templates.add(contender.locks());
                    return kind.apply(contender);
                })) {
            run.run(Duration.ofSeconds(Long.getLong("test.faults.seconds", 15)));
            await().atMost(FaultRun.LEASE
                            .plus(FaultRun.RECHECK.multipliedBy(14))
                            .plus(SLACK))
                    .untilAsserted(() -> assertThat(redis.keys())
                            .as("keys that are left, seed %d", seed)
                            .allMatch(key -> key.equals("lock:fence") || key.contains(":over:")));
            await().atMost(Duration.ofSeconds(5))
                    .untilAsserted(() -> assertThat(templates)
                            .as("engines with nothing to do, seed %d", seed)
                            .allSatisfy(engine -> {
                                assertThat(EngineCounters.openRequests(engine)).isZero();
                                assertThat(EngineCounters.awaitedNames(engine)).isZero();
                            }));
        }
    }
}
