package dev.baton.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WaitTimeTests {

    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "10s, PT10S",
        "5m, PT5M",
        "2h, PT2H",
        "PT10S, PT10S",
        "pt1m, PT1M",
        "' 7s ', PT7S",
        "9223372036854775807s, PT2562047788015215H30M7S"
    })
    void durationWithItsUnitIsRead(String text, Duration duration) {
        WaitTime wait = WaitTime.valueOf(text);

        assertThat(wait.duration()).isEqualTo(duration);
        assertThat(wait.isNone()).isFalse();
        assertThat(wait.isUnbounded()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", " 0 ", "0ms", "0s", "PT0S", "-0s"})
    void zeroMeansNoWait(String text) {
        assertThat(WaitTime.valueOf(text)).isSameAs(WaitTime.none());
        assertThat(WaitTime.valueOf(text).isNone()).isTrue();
        assertThat(WaitTime.valueOf(text).duration()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"unbounded", "Unbounded", " UNBOUNDED "})
    void unboundedIsWrittenAsAWord(String text) {
        assertThat(WaitTime.valueOf(text)).isSameAs(WaitTime.unbounded());
        assertThat(WaitTime.valueOf(text).isUnbounded()).isTrue();
        assertThat(WaitTime.valueOf(text).isNone()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10", "+5", "-1", "00"})
    void numberWithoutUnitIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WaitTime.valueOf(text))
                .withMessage("'" + text + "' has no unit; write '" + text + "s' or '" + text + "ms'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "soon",
                "forever",
                "10 parsecs",
                "10x",
                "PT",
                "P1Y",
                "1.5s",
                "9999999999999999999s",
                "9223372036854775807h"
            })
    void textThatIsNoDurationIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WaitTime.valueOf(text))
                .withMessage(
                        "'" + text + "' is not a duration; write it as '500ms', '10s', '5m' or 'PT10S', as '0' to not"
                                + " wait, or as 'unbounded' to wait without a bound");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-2s", "PT-2S"})
    void negativeWaitIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WaitTime.valueOf(text))
                .withMessage(
                        "wait time -2000 ms is negative; use 0 to not wait, or 'unbounded' to wait without a bound");
    }

    @Test
    void longestNegativeWaitIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WaitTime.of(Duration.ofSeconds(Long.MIN_VALUE)))
                .withMessageContaining("is negative");
    }

    @Test
    void unboundedWaitHasNoDuration() {
        assertThatIllegalStateException()
                .isThrownBy(WaitTime.unbounded()::duration)
                .withMessage("an unbounded wait has no duration");
    }

    @Test
    void waitTimesOfEqualLengthAreEqual() {
        WaitTime two = WaitTime.of(Duration.ofSeconds(2));

        assertThat(two).isEqualTo(WaitTime.valueOf("2000ms")).hasSameHashCodeAs(WaitTime.valueOf("2000ms"));
        assertThat(two).isNotEqualTo(WaitTime.of(Duration.ofSeconds(3)));
        assertThat(two).isNotEqualTo(WaitTime.unbounded()).isNotEqualTo(WaitTime.none());
        assertThat(WaitTime.unbounded()).isNotEqualTo(two).isNotEqualTo(null);
    }

    @Test
    void textIsReadable() {
        assertThat(WaitTime.of(Duration.ofSeconds(2))).hasToString("PT2S");
        assertThat(WaitTime.unbounded()).hasToString("unbounded");
    }
}
