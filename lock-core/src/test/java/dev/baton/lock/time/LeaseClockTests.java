package dev.baton.lock.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseClockTests {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    /** Reserves a thousandth for drift, a millisecond for rounding, and a twentieth for notifying the holder. */
    private static final long USABLE = Duration.ofMillis(948).toNanos();

    @ParameterizedTest
    @ValueSource(longs = {0, -5, Long.MAX_VALUE - 7, Long.MIN_VALUE})
    void leaseCountsFromTheSendingLessDriftRoundingAndNotification(long sentAt) {
        long end = LeaseClock.end(sentAt, SECOND);

        assertThat(end - sentAt).isEqualTo(USABLE);
        assertThat(LeaseClock.remaining(end, sentAt)).isEqualTo(USABLE);
        assertThat(LeaseClock.isOver(end, sentAt)).isFalse();
        assertThat(LeaseClock.isOver(end, end - 1)).isFalse();
        assertThat(LeaseClock.isOver(end, end)).isTrue();
        assertThat(LeaseClock.isOver(end, end + SECOND)).isTrue();
        assertThat(LeaseClock.remaining(end, end + 3)).isEqualTo(-3);
    }

    @Test
    void longestLeaseDoesNotOverflow() {
        long tenYears = Duration.ofDays(3650).toNanos();
        long end = LeaseClock.end(Long.MAX_VALUE, tenYears);

        assertThat(LeaseClock.isOver(end, Long.MAX_VALUE)).isFalse();
        assertThat(LeaseClock.remaining(end, Long.MAX_VALUE))
                .isEqualTo(tenYears / 1000 * 999 - Duration.ofMillis(101).toNanos());
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "0, 50", "5, 45", "50, 0", "500, 0"})
    void lockIsReassignedAfterTheTimeToNotify(long overForMillis, long leftMillis) {
        long now = 7 * SECOND;
        long end = now - Duration.ofMillis(overForMillis).toNanos();

        assertThat(LeaseClock.toTell(end, now, SECOND))
                .isEqualTo(Duration.ofMillis(leftMillis).toNanos());
    }

    @ParameterizedTest
    @CsvSource({"10, 8490", "2000, 1897000", "2500, 2396500", "30000, 29869000"})
    void timeToNotifyIsATwentiethAndAtMostAHundredMilliseconds(long leaseMillis, long usableMicros) {
        assertThat(LeaseClock.end(0, Duration.ofMillis(leaseMillis).toNanos())).isEqualTo(usableMicros * 1000);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 7})
    void leaseIsTooShortWhenMoreThanAThirdIsReserved(long now) {
        long lease = 3 * SECOND;

        assertThat(LeaseClock.isTooShort(now + 3 * SECOND, now, lease)).isFalse();
        assertThat(LeaseClock.isTooShort(now + 2 * SECOND, now, lease)).isFalse();
        assertThat(LeaseClock.isTooShort(now + 2 * SECOND - 1, now, lease)).isTrue();
        assertThat(LeaseClock.isTooShort(now - 1, now, lease)).isTrue();
    }
}
