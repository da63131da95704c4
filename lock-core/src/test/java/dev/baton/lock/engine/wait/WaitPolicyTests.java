package dev.baton.lock.engine.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitPolicyTests {

    private static final long MILLI = Duration.ofMillis(1).toNanos();
    private static final long RECHECK = Duration.ofSeconds(1).toNanos();
    /** The largest number below 1. */
    private static final double ALMOST_ONE = Math.nextDown(1.0);

    private final WaitPolicy policy = new WaitPolicy(RECHECK);

    @Test
    void pauseIsAtMostOneRecheckAndNeverZero() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            long recheck = Duration.ofMillis(10 + random.nextInt(5_000)).toNanos();
            long remaining = random.nextBoolean() ? random.nextLong(3 * recheck) : random.nextLong(Long.MAX_VALUE / 2);
            WaitPolicy some = new WaitPolicy(recheck);

            long delay = some.afterBusy(remaining, random.nextDouble(), random.nextBoolean());

            assertThat(delay)
                    .as("seed %d, recheck %d ns, remaining %d ns", seed, recheck, remaining)
                    .isBetween(MILLI, recheck);
        }
    }

    @Test
    void waiterAsksWhenTheLeaseOfTheHolderEnds() {
        long remaining = 100 * MILLI;

        assertThat(policy.afterBusy(remaining, 0, false)).isEqualTo(remaining + 1);
        assertThat(policy.afterBusy(remaining, ALMOST_ONE, false))
                .isBetween(remaining + 9 * MILLI, remaining + 10 * MILLI + 1);
    }

    @Test
    void processesAreSpreadOverTheLastFifthOfARecheck() {
        assertThat(policy.afterBusy(60 * RECHECK, 0, false)).isEqualTo(RECHECK);
        assertThat(policy.afterBusy(60 * RECHECK, 0.5, false)).isEqualTo(RECHECK / 10 * 9);
        assertThat(policy.afterBusy(60 * RECHECK, ALMOST_ONE, false)).isBetween(RECHECK / 5 * 4, RECHECK / 5 * 4 + 1);
    }

    @Test
    void waiterThatAskedInTurnAsksAgainAFullRecheckLater() {
        assertThat(policy.afterBusy(60 * RECHECK, 0, true)).isEqualTo(RECHECK);
        assertThat(policy.afterBusy(60 * RECHECK, ALMOST_ONE, true)).isEqualTo(RECHECK);
        assertThat(policy.afterBusy(100 * MILLI, 0, true)).isEqualTo(100 * MILLI + 1);
    }

    @Test
    void waiterAsksAMillisecondAfterAnExpiredLease() {
        assertThat(policy.afterBusy(0, 0, false)).isEqualTo(MILLI);
        assertThat(policy.afterBusy(-5, 0, false)).isEqualTo(MILLI);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.999})
    void waiterAsksAtTheRecheckDuringALeaseWithoutEnd(double random) {
        assertThat(policy.afterBusy(Long.MAX_VALUE, random, false)).isBetween(RECHECK / 5 * 4, RECHECK);
    }

    @Test
    void backOffGrowsUpToARecheck() {
        assertThat(policy.afterFailure(1, 0)).isEqualTo(50 * MILLI);
        assertThat(policy.afterFailure(2, 0)).isEqualTo(100 * MILLI);
        assertThat(policy.afterFailure(4, 0)).isEqualTo(400 * MILLI);
        assertThat(policy.afterFailure(6, 0)).isEqualTo(RECHECK);
        assertThat(policy.afterFailure(Integer.MAX_VALUE, 0)).isEqualTo(RECHECK);
        assertThat(policy.afterFailure(Integer.MAX_VALUE, ALMOST_ONE))
                .isBetween(RECHECK / 5 * 4 - 1, RECHECK / 5 * 4 + 1);
    }

    @Test
    void backOffNeverShrinks() {
        WaitPolicy slow = new WaitPolicy(Duration.ofDays(1).toNanos());
        long last = 0;
        for (int failures = 1; failures < 100; failures++) {
            long delay = slow.afterFailure(failures, 0);
            assertThat(delay).isGreaterThanOrEqualTo(last);
            last = delay;
        }
    }

    @Test
    void pollPauseIsUniformUpToItsIntervalAndAtLeastOneMillisecond() {
        WaitPolicy polling = WaitPolicy.polling(RECHECK, 200 * MILLI);
        assertThat(polling.afterBusy(Long.MAX_VALUE, 0, false)).isEqualTo(MILLI);
        assertThat(polling.afterBusy(1, 0.25, false)).isEqualTo(50 * MILLI);
        assertThat(polling.afterBusy(Long.MAX_VALUE, 0.75, false)).isEqualTo(150 * MILLI);
    }

    @Test
    void onlyAWaiterWithAPollingIntervalPolls() {
        Duration recheck = Duration.ofNanos(RECHECK);
        assertThat(WaitPolicy.of(recheck, Duration.ofMillis(200)).afterBusy(Long.MAX_VALUE, 0.75, true))
                .isEqualTo(150 * MILLI);
        assertThat(WaitPolicy.of(recheck, null).afterBusy(Long.MAX_VALUE, 0.75, true))
                .isEqualTo(RECHECK);
    }

    @Test
    void answerAwaitedForAMomentShowsNoOutage() {
        assertThat(WaitPolicy.tellingNanos(RECHECK)).isEqualTo(100 * MILLI);
        assertThat(WaitPolicy.tellingNanos(20 * MILLI))
                .as("no command waits longer for its answer")
                .isEqualTo(20 * MILLI);
    }
}
