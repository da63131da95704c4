package dev.baton.sample.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FindingsTests {

    @Test
    void consecutiveTurnsPassAllChecks() {
        Findings findings = Findings.of(
                List.of(
                        new Turn(0, 0, 10, 20),
                        new Turn(1, 5, 23, 30),
                        new Turn(1, 6, 32, 40),
                        new Turn(0, 25, 41, 50)),
                2,
                4);
        assertThat(findings.turns()).isEqualTo(4);
        assertThat(findings.turnsOfProcess()).containsExactly(2, 2);
        assertThat(findings.overlaps()).isZero();
        assertThat(findings.handOvers()).containsExactly(1L, 3L);
        assertThat(findings.waits()).containsExactly(10L, 16L, 18L, 26L);
        assertThat(findings.verdicts()).allMatch(Findings.Verdict::holds);
    }

    @Test
    void turnOnAFreeServerIsNoHandOver() {
        Findings findings = Findings.of(List.of(new Turn(0, 0, 1, 2), new Turn(1, 8, 9, 10)), 2, 2);
        assertThat(findings.handOvers()).isEmpty();
    }

    @Test
    void turnThatBeginsDuringAnEarlierTurnOverlaps() {
        Findings findings = Findings.of(
                List.of(
                        new Turn(0, 0, 0, 100),
                        new Turn(1, 0, 10, 20),
                        new Turn(1, 0, 30, 40),
                        new Turn(0, 0, 100, 110)),
                2,
                4);
        assertThat(findings.overlaps()).isEqualTo(2);
        assertThat(failed(findings)).containsExactly("never two at a time: 2 overlaps");
    }

    @Test
    void counterThatMissesATurnIsWrong() {
        Findings findings = Findings.of(List.of(new Turn(0, 0, 1, 2), new Turn(1, 0, 3, 4)), 2, 1);
        assertThat(failed(findings)).containsExactly("the counter is right: 1 after 2 acquisitions");
    }

    @Test
    void processThatWasNeverServedFails() {
        Findings findings = Findings.of(List.of(new Turn(0, 0, 1, 2)), 2, 1);
        assertThat(failed(findings))
                .containsExactly(
                        "every process was served: at least 0 times each",
                        "within 20 % of each other: 0 to 1 acquisitions");
    }

    @Test
    void sharesMayDifferByAFifth() {
        assertThat(failed(new Findings(22, List.of(10, 12), 0, List.of(), waits(22))))
                .isEmpty();
        assertThat(failed(new Findings(23, List.of(10, 13), 0, List.of(), waits(23))))
                .containsExactly("within 20 % of each other: 10 to 13 acquisitions");
    }

    @Test
    void percentileIsAValueThatOccurred() {
        List<Long> sorted = List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 100L);
        assertThat(Findings.percentile(sorted, 0.5)).isEqualTo(5);
        assertThat(Findings.percentile(sorted, 0.99)).isEqualTo(100);
        assertThat(Findings.percentile(List.of(), 0.5)).isZero();
    }

    private static List<Long> waits(int turns) {
        return Collections.nCopies(turns, 1L);
    }

    private static List<String> failed(Findings findings) {
        return findings.verdicts().stream()
                .filter(verdict -> !verdict.holds())
                .map(Findings.Verdict::text)
                .toList();
    }
}
