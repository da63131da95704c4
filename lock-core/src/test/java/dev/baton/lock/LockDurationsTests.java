package dev.baton.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockDurationsTests {

    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "' 10s ', PT10S", "PT10S, PT10S", "-3s, PT-3S"})
    void durationWithItsUnitIsRead(String text, Duration duration) {
        assertThat(LockDurations.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "10", " 7 "})
    void numberWithoutUnitIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockDurations.parse(text))
                .withMessageStartingWith("'" + text.trim() + "' has no unit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"unbounded", "", "10 s 5 ms"})
    void textThatIsNoDurationIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockDurations.parse(text))
                .withMessageStartingWith("'" + text + "' is not a duration");
    }

    @Test
    void leaseMayEqualEitherLimit() {
        assertThat(LockDurations.checkExpire(Duration.ofMillis(10))).isEqualTo(Duration.ofMillis(10));
        assertThat(LockDurations.checkExpire(Duration.ofDays(3650))).isEqualTo(Duration.ofDays(3650));
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 0", "PT-1S, -1000", "PT0.009999999S, 9"})
    void tooShortLeaseIsRefused(Duration expire, long millis) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockDurations.checkExpire(expire))
                .withMessage("expire " + millis
                        + " ms is too short; use at least 10 ms, and more than the work under the lock takes");
    }

    @Test
    void tooLongLeaseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> LockDurations.checkExpire(Duration.ofDays(3650).plusNanos(1)))
                .withMessage(
                        "expire of 3650 days is too long; use a short one with renewal (renew = ALWAYS), so that the lock of a dead holder becomes free soon");
    }

    @Test
    void extremeDurationsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockDurations.checkExpire(Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessageContaining("is too long");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockDurations.checkExpire(Duration.ofSeconds(Long.MIN_VALUE)))
                .withMessageContaining("is too short");
    }
}
