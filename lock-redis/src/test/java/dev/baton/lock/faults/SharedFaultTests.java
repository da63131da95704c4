package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.EngineCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that readers and writers exclude each other under faults of the network and of Redis. */
class SharedFaultTests {

    private static final Duration SLACK = Duration.ofSeconds(1);

    private final long seed = Long.getLong("test.faults.seed", System.nanoTime());

    @Test
    void noWriterOverlapsAnyHolderAndTokensGrow() throws Exception {
        SharedContender.History history = new SharedContender.History();
        List<SharedContender> contenders = new ArrayList<>();
        try (TestRedis redis = Backend.LETTUCE.startRedis();
                FaultRun run = new FaultRun(redis, seed, (host, port) -> {
                    SharedContender contender =
                            new SharedContender(BatonContender.start(Backend.LETTUCE, host, port), history);
                    contenders.add(contender);
                    return contender;
                })) {
            run.run(Duration.ofSeconds(Long.getLong("test.faults.seconds", 15)));
            assertThat(history.violations()).as("seed %d", seed).isEmpty();
            // a run with few grants is not conclusive
            assertThat(history.readers()).as("readers, seed %d", seed).isGreaterThan(30);
            assertThat(history.writers()).as("writers, seed %d", seed).isGreaterThan(10);
            assertThat(history.downgrades()).as("downgrades, seed %d", seed).isGreaterThan(2);
            await().atMost(FaultRun.LEASE
                            .plus(FaultRun.RECHECK.multipliedBy(14))
                            .plus(SLACK))
                    .untilAsserted(() -> assertThat(redis.keys())
                            .as("keys that are left, seed %d", seed)
                            .allMatch(key -> key.equals("lock:fence") || key.startsWith("lock:over:")));
            await().atMost(Duration.ofSeconds(5))
                    .untilAsserted(() -> assertThat(SharedContender.templates(contenders))
                            .as("engines with nothing to do, seed %d", seed)
                            .allSatisfy(engine -> {
                                assertThat(EngineCounters.openRequests(engine)).isZero();
                                assertThat(EngineCounters.awaitedNames(engine)).isZero();
                            }));
        }
    }
}
