package dev.baton.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RenewalPolicyTests {

    private static final long MAX_HOLD = Duration.ofSeconds(100).toNanos();

    private final RenewalPolicy policy = new RenewalPolicy(MAX_HOLD);

    @ParameterizedTest
    @ValueSource(longs = {0, -9, Long.MAX_VALUE - 3})
    void renewalIsDueAfterAThirdOfTheLease(long sentAt) {
        assertThat(policy.next(sentAt, 30_000) - sentAt).isEqualTo(10_000);
    }

    @ParameterizedTest
    @CsvSource({"PT0.01S, PT0.005S", "PT0.9S, PT0.1S", "PT9S, PT1S", "P10D, PT1S"})
    void failedRenewalIsRetriedSoonButNotAtOnce(Duration lease, Duration retry) {
        for (long now : new long[] {0, Long.MAX_VALUE}) {
            assertThat(policy.retry(now, lease.toNanos()) - now).isEqualTo(retry.toNanos());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 3})
    void renewalStopsAtMaxHold(long grantedAt) {
        assertThat(policy.mayRenew(grantedAt, grantedAt)).isTrue();
        assertThat(policy.mayRenew(grantedAt, grantedAt + MAX_HOLD - 1)).isTrue();
        assertThat(policy.mayRenew(grantedAt, grantedAt + MAX_HOLD)).isFalse();
        assertThat(policy.mayRenew(grantedAt, grantedAt + MAX_HOLD + 1)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 3})
    void sharedTicketIsExtendedUntilHalfOfMaxHoldHasPassed(long grantedAt) {
        assertThat(policy.mayExtend(grantedAt, grantedAt)).isTrue();
        assertThat(policy.mayExtend(grantedAt, grantedAt + MAX_HOLD / 2 - 1)).isTrue();
        assertThat(policy.mayExtend(grantedAt, grantedAt + MAX_HOLD / 2)).isFalse();
    }

    @Test
    void slotIsAtMostATwentiethOfTheLeaseAndFiftyMillisecondsEarlier() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            long at = random.nextLong();
            long lease = Duration.ofMillis(10 + random.nextInt(10_000)).toNanos();
            long width = Math.min(lease / 20, Duration.ofMillis(50).toNanos());

            long early = at - RenewalPolicy.slot(at, lease);

            assertThat(early).as("seed %d, at %d, lease %d ns", seed, at, lease).isBetween(0L, width - 1);
        }
    }

    @Test
    void leasesDueAtAboutTheSameTimeShareASlot() {
        long lease = Duration.ofSeconds(3).toNanos();
        long slot = RenewalPolicy.slot(123_456_789_000L, lease);

        assertThat(RenewalPolicy.slot(slot, lease)).isEqualTo(slot);
        assertThat(RenewalPolicy.slot(slot + Duration.ofMillis(50).toNanos() - 1, lease))
                .isEqualTo(slot);
        assertThat(RenewalPolicy.slot(slot + Duration.ofMillis(50).toNanos(), lease))
                .isNotEqualTo(slot);
    }
}
