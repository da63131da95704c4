package dev.baton.lock.benchmarks.comparison.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpreadTests {

    @Test
    void medianAndQuartilesOfRounds() {
        assertThat(Spread.of(List.of(9.0, 1.0, 5.0, 3.0, 7.0))).contains(new Spread(3, 5, 7));
        assertThat(Spread.of(List.of(1.0, 2.0))).contains(new Spread(1.25, 1.5, 1.75));
        assertThat(Spread.of(List.of(4.0))).contains(new Spread(4, 4, 4));
    }

    @Test
    void spreadWithoutRoundsIsEmpty() {
        assertThat(Spread.of(List.of())).isEmpty();
    }

    @Test
    void ratiosAreComputedWithinRounds() {
        // the second round was slow for all contenders; the ratio of the medians would be 12 / 10
        Map<Integer, Double> figures = Map.of(0, 12.0, 1, 200.0, 2, 8.0);
        Map<Integer, Double> bases = Map.of(0, 10.0, 1, 100.0, 2, 4.0);
        assertThat(Spread.ofRatios(figures, bases).orElseThrow().median()).isEqualTo(2.0);
    }

    @Test
    void roundsOfASingleContenderAreIgnored() {
        assertThat(Spread.ofRatios(Map.of(0, 1.0, 1, 50.0), Map.of(0, 2.0, 2, 1.0)))
                .contains(new Spread(0.5, 0.5, 0.5));
        assertThat(Spread.ofRatios(Map.of(0, 1.0), Map.of(1, 2.0))).isEmpty();
    }

    @Test
    void processWithoutAGrantIsInfinitelyUnfair() {
        double infinite = Double.POSITIVE_INFINITY;
        assertThat(Spread.of(List.of(2.0, infinite, infinite)).orElseThrow().high())
                .isEqualTo(infinite);
        assertThat(Spread.of(List.of(infinite, infinite)).orElseThrow().median())
                .isEqualTo(infinite);
    }
}
