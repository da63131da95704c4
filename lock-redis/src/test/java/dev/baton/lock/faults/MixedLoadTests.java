package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.CohortMode;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tests requests for one and several locks under time-outs, interrupts, cancels, cut connections, killed JVMs, lost
 * scripts and lost data; {@code -Dtest.faults.seed} repeats a run, {@code -Dtest.faults.seconds} sets its length, and
 * {@code -Dtest.faults.client} its client, {@code lettuce} or {@code jedis}.
 */
class MixedLoadTests {

    private static final Logger log = LoggerFactory.getLogger(MixedLoadTests.class);

    /** A run with fewer grants or waits is not conclusive. */
    private static final int LEAST = 50;

    private final MixedPlan plan = MixedPlan.ofProperties();

    @AfterEach
    void turnPassesOff() {
        CohortMode.set(0);
    }

    @Test
    void oneHolderAtATimeInTurnWithGrowingTokensAndNoLostWakeUp() throws Exception {
        for (long seed : plan.seeds().toArray()) {
            MixedVerdict verdict = verdict(seed, MixedVerdict::violations);
            assertThat(verdict.waits()).as("waits, %s", plan.repeat(seed)).isGreaterThan(LEAST);
        }
    }

    @Test
    void oneHolderAtATimeWithGrowingTokensWhereProcessesPassLocksOn() throws Exception {
        CohortMode.set(32);
        for (long seed : plan.seeds().toArray()) {
            verdict(seed, MixedVerdict::violationsOfHolders);
        }
    }

    private MixedVerdict verdict(long seed, Function<MixedVerdict, List<Object>> violations) throws Exception {
        try (TestRedis redis = plan.backend().startRedis();
                MixedRun run = plan.start(redis, seed)) {
            run.startJvms(2, plan.backend().client(), System.getProperty("test.faults.earlier"));
            run.run(plan.length());
            List<HistoryEvent> events = run.events();
            MixedVerdict verdict = new MixedVerdict(events, RequestTimeline.all(events), run);
            log.info("Passed on {} times, {}: {}", CohortMode.limit(), plan.repeat(seed), verdict);
            assertThat(violations.apply(verdict)).as(plan.repeat(seed)).isEmpty();
            assertThat(verdict.grants()).as("grants, %s", plan.repeat(seed)).isGreaterThan(LEAST);
            return verdict;
        }
    }

    @Test
    void naiveLockFailsInEachOfTwentyRuns() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (TestRedis redis = TestRedis.start();
                    MixedRun run = new MixedRun(redis, plan.seed() + i, NaiveContender::new)) {
                assertThat(run.isCaught(Duration.ofMinutes(3)))
                        .as("seed %d", plan.seed() + i)
                        .isTrue();
            }
        }
    }
}
