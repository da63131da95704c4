package dev.baton.lock.engine.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.support.ManualTime;
import dev.baton.lock.time.LeaseClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CohortPolicyTests {

    private static final long NOW = ManualTime.START;
    private static final long LEASE = Duration.ofSeconds(30).toNanos();
    private static final CohortPolicy POLICY =
            new CohortPolicy(5, Duration.ofMillis(20).toNanos());

    @Test
    void passesAreLimitedByTheSetting() {
        assertThat(mayPass(POLICY, 4, 9, LEASE, 0)).isTrue();
        assertThat(mayPass(POLICY, 5, 9, LEASE, 0)).isFalse();
    }

    @Test
    void passesAreLimitedByTheTokens() {
        assertThat(mayPass(POLICY, 1, 2, LEASE, 0)).isTrue();
        assertThat(mayPass(POLICY, 2, 2, LEASE, 0)).isFalse();
        assertThat(mayPass(POLICY, 0, 0, LEASE, 0)).isFalse();
    }

    @Test
    void passesEndWhenTheTimeHasPassed() {
        assertThat(mayPass(POLICY, 0, 5, LEASE, Duration.ofMillis(20).toNanos() - 1))
                .isTrue();
        assertThat(mayPass(POLICY, 0, 5, LEASE, Duration.ofMillis(20).toNanos()))
                .isFalse();
    }

    @Test
    void passesEndWhenAThirdOfTheLeaseHasPassed() {
        long lease = Duration.ofMillis(30).toNanos();
        long end = NOW + 2 * lease;
        assertThat(POLICY.mayPass(0, 5, NOW, end, lease, NOW + lease / 3 - 1)).isTrue();
        assertThat(POLICY.mayPass(0, 5, NOW, end, lease, NOW + lease / 3)).isFalse();
    }

    @Test
    void nextHolderHasMostOfTheLeaseLeft() {
        long end = NOW + LEASE - LEASE / 3;
        assertThat(POLICY.mayPass(0, 5, NOW, end, LEASE, NOW)).isTrue();
        assertThat(POLICY.mayPass(0, 5, NOW, end - 1, LEASE, NOW)).isFalse();
    }

    @Test
    void expiredLeaseIsNotPassedOn() {
        assertThat(POLICY.mayPass(0, 5, NOW, NOW + 1, 2, NOW))
                .as("a lease of almost no length")
                .isFalse();
        assertThat(POLICY.mayPass(0, 5, NOW - 1, NOW, 1, NOW)).isFalse();
    }

    @Test
    void limitOfZeroTurnsPassesOff() {
        assertThat(CohortPolicy.OFF.isOff()).isTrue();
        assertThat(POLICY.isOff()).isFalse();
        assertThat(mayPass(CohortPolicy.OFF, 0, 5, LEASE, 0)).isFalse();
    }

    @Test
    void extensionIsDueAfterHalfOfThePasses() {
        assertThat(isTimeToExtend(2, 5, Duration.ZERO)).isFalse();
        assertThat(isTimeToExtend(3, 5, Duration.ZERO)).isTrue();
        assertThat(isTimeToExtend(3, 9, Duration.ZERO)).as("the limit is less").isTrue();
        assertThat(isTimeToExtend(2, 4, Duration.ZERO))
                .as("there are fewer tokens")
                .isTrue();
    }

    @Test
    void extensionIsDueAfterHalfOfTheTime() {
        assertThat(isTimeToExtend(1, 5, Duration.ofMillis(10).minusNanos(1))).isFalse();
        assertThat(isTimeToExtend(1, 5, Duration.ofMillis(10))).isTrue();
    }

    @Test
    void extensionIsDueAfterASixthOfAShortLease() {
        long lease = Duration.ofMillis(30).toNanos();
        assertThat(POLICY.isTimeToExtend(0, 1, 5, NOW, lease, NOW + lease / 6 - 1))
                .isFalse();
        assertThat(POLICY.isTimeToExtend(0, 1, 5, NOW, lease, NOW + lease / 6)).isTrue();
    }

    @Test
    void extensionIsDueUpTo31Times() {
        assertThat(POLICY.isTimeToExtend(30, 5, 5, NOW, LEASE, NOW)).isTrue();
        assertThat(POLICY.isTimeToExtend(31, 5, 5, NOW, LEASE, NOW)).isFalse();
    }

    private static boolean isTimeToExtend(int passes, int reserved, Duration gone) {
        return POLICY.isTimeToExtend(0, passes, reserved, NOW, LEASE, NOW + gone.toNanos());
    }

    private static boolean mayPass(CohortPolicy policy, int passes, int reserved, long lease, long gone) {
        return policy.mayPass(passes, reserved, NOW, LeaseClock.end(NOW, lease), lease, NOW + gone);
    }
}
