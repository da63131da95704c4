package dev.baton.sample.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FleetOptionTests {

    @Test
    void numberOfInstancesBecomesASetting() {
        assertThat(FleetOption.replaced("--server.port=0", "--fleet=3", "--fleet.deploy-time=1s"))
                .containsExactly("--server.port=0", "--fleet.deploy-time=1s", "--fleet.members.size=3");
    }

    @Test
    void argumentsWithoutTheOptionAreUnchanged() {
        assertThat(FleetOption.replaced("--fleet.deploy-time=1s")).containsExactly("--fleet.deploy-time=1s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fleet", "--fleet=", "--fleet=1", "--fleet=9", "--fleet=three"})
    void invalidNumberOfInstancesIsRefused(String option) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FleetOption.replaced(option))
                .withMessageEndingWith(" is not a whole number from 2 to 8; write --fleet=3");
    }
}
