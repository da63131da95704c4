package dev.baton.sample.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.DefaultApplicationArguments;

class SimulationOptionsTests {

    @Test
    void unsetOptionsHaveTheirDefaults() {
        assertThat(options("--simulate"))
                .isEqualTo(new SimulationOptions(4, 4, Duration.ofSeconds(10), Duration.ofMillis(1), true));
    }

    @Test
    void eachOptionIsRead() {
        assertThat(options("--simulate", "--processes=3", "--threads=5", "--seconds=7", "--hold-millis=0"))
                .isEqualTo(new SimulationOptions(3, 5, Duration.ofSeconds(7), Duration.ZERO, true));
    }

    @Test
    void runWithoutALockNeedsAHoldTime() {
        assertThat(options("--unprotected").locked()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options("--unprotected", "--hold-millis=0"))
                .withMessage("--hold-millis=0 is not a whole number from 1 to 1000; write --hold-millis=1");
    }

    @Test
    void settingsOfSpringAreIgnored() {
        assertThat(options("--simulate", "--spring.data.redis.port=6379").processes())
                .isEqualTo(4);
    }

    @Test
    void valueOutOfRangeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options("--simulate", "--processes=1"))
                .withMessage("--processes=1 is not a whole number from 2 to 64; write --processes=4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options("--simulate", "--seconds"))
                .withMessageStartingWith("--seconds= is not a whole number from 1 to 300");
    }

    @Test
    void unknownOptionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options("--simulate", "--proceses=3"))
                .withMessageStartingWith("unknown option --proceses; use --processes=4");
    }

    private static SimulationOptions options(String... args) {
        return SimulationOptions.of(new DefaultApplicationArguments(args));
    }
}
