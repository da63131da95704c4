package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a delay of a process counts from its reconnection. */
class FaultTests {

    private static final Fault OF_P = new Fault("p", 10, 20);
    private static final Fault OF_ALL = new Fault("", 15, 30);

    @Test
    void delayThatBeginsInAFaultCountsFromTheEndOfTheFault() {
        assertThat(Fault.endAfter(List.of(OF_P), "p", 10)).isEqualTo(20);
        assertThat(Fault.endAfter(List.of(OF_P, OF_ALL), "p", 18)).isEqualTo(30);
        assertThat(Fault.endAfter(List.of(OF_ALL), "p", 18)).isEqualTo(30);
    }

    @Test
    void delayThatBeginsOutsideAllFaultsCountsFromItsOwnBeginning() {
        assertThat(Fault.endAfter(List.of(OF_P), "p", 9)).isEqualTo(9);
        assertThat(Fault.endAfter(List.of(OF_P), "p", 21)).isEqualTo(21);
        assertThat(Fault.endAfter(List.of(OF_P), "other", 12)).isEqualTo(12);
        assertThat(Fault.endAfter(List.of(), "p", 12)).isEqualTo(12);
    }

    @Test
    void consecutiveFaultsAreNotJoined() {
        assertThat(Fault.endAfter(List.of(OF_P, new Fault("p", 20, 40)), "p", 12))
                .isEqualTo(20);
    }
}
