package dev.baton.sample.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TrafficPropertiesTests {

    @Test
    void singleInstanceHasNoTrafficByDefault() {
        assertThat(new TrafficProperties(null, 4, 4).rate(false)).isZero();
        assertThat(new TrafficProperties(null, 4, 4).rate(true)).isEqualTo(1);
        assertThat(new TrafficProperties(0.5, 4, 4).rate(false)).isEqualTo(0.5);
        assertThat(new TrafficProperties(0.0, 4, 4).rate(true)).isZero();
    }

    @Test
    void valueOutOfRangeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TrafficProperties(51.0, 4, 4))
                .withMessage("fleet.traffic.per-second=51.0 is not from 0 to 50; set it to a value in that range");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TrafficProperties(Double.NaN, 4, 4))
                .withMessageStartingWith("fleet.traffic.per-second=NaN");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TrafficProperties(1.0, 0, 4))
                .withMessageStartingWith("fleet.traffic.servers=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TrafficProperties(1.0, 4, 0))
                .withMessageStartingWith("fleet.traffic.at-a-time=0");
    }
}
