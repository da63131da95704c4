package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.support.Backend;
import dev.baton.lock.support.CohortMode;
import dev.baton.lock.test.HistoryEvent;
import dev.baton.lock.test.TestRedis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One and several locks, time-outs, interrupts, cancels, cut connections, killed JVMs, lost scripts and lost data. {@code
 * -Dbaton.faults.seed} repeats what a run tried.
 */
class MixedLoadTests {

    private static final Logger log = LoggerFactory.getLogger(MixedLoadTests.class);

    private final long seed = Long.getLong("baton.faults.seed", System.nanoTime());

    @Test
    void oneHolderAtATimeInTurnWithGrowingTokensAndNoLostWakeUp() throws Exception {
        try (TestRedis redis = Backend.LETTUCE.startRedis();
                MixedRun run = new MixedRun(redis, seed, BatonContender::start)) {
            run.startJvms(2);
            run.run(Duration.ofSeconds(9));
            List<HistoryEvent> events = run.events();
            Map<String, Life> lives = Life.all(events);
            MixedVerdict verdict = new MixedVerdict(events, lives, run);
            log.info("Seed {}: {}", seed, verdict);
            assertThat(verdict.violations()).as("seed %d", seed).isEmpty();
            // a run in which nobody got anywhere shows nothing
            assertThat(verdict.grants()).as("grants, seed %d", seed).isGreaterThan(50);
            assertThat(verdict.waits()).as("waits, seed %d", seed).isGreaterThan(50);
        }
    }

    @Test
    void oneHolderAtATimeWithGrowingTokensWhereProcessesPassLocksOn() throws Exception {
        CohortMode.set(32);
        try (TestRedis redis = Backend.LETTUCE.startRedis();
                MixedRun run = new MixedRun(redis, seed, BatonContender::start)) {
            run.startJvms(2);
            run.run(Duration.ofSeconds(9));
            List<HistoryEvent> events = run.events();
            MixedVerdict verdict = new MixedVerdict(events, Life.all(events), run);
            log.info("Seed {}: {} grants where processes pass locks on", seed, verdict.grants());
            assertThat(verdict.violationsOfHolders()).as("seed %d", seed).isEmpty();
            assertThat(verdict.grants()).as("grants, seed %d", seed).isGreaterThan(50);
        } finally {
            CohortMode.set(0);
        }
    }

    @Test
    void sameLoadCatchesANaiveLockInEachOfTwentyRuns() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (TestRedis redis = TestRedis.start();
                    MixedRun run = new MixedRun(redis, seed + i, NaiveContender::new)) {
                assertThat(run.isCaught(Duration.ofSeconds(40)))
                        .as("seed %d", seed + i)
                        .isTrue();
            }
        }
    }
}
