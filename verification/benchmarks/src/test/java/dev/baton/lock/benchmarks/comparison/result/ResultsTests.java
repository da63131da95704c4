package dev.baton.lock.benchmarks.comparison.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;

class ResultsTests {

    private final Results results = new Results();

    @Test
    void speedIsMoreForAShorterTimeAndForAHigherRate() {
        add(Metric.PAIR_MICROS, "FAST", 10, 30);
        add(Metric.PAIR_MICROS, "SLOW", 20, 60);
        add(Metric.PER_SECOND, "FAST", 400, 800);
        add(Metric.PER_SECOND, "SLOW", 200, 400);

        assertThat(results.speed(1, Metric.PAIR_MICROS, "FAST", "SLOW")).contains(new Spread(2, 2, 2));
        assertThat(results.speed(1, Metric.PER_SECOND, "FAST", "SLOW")).contains(new Spread(2, 2, 2));
        assertThat(results.speed(1, Metric.PER_SECOND, "FAST", "ABSENT")).isEmpty();
    }

    @Test
    void figureIsTheMeanOfCpuTimesAndTheMedianOfEverythingElse() {
        add(Metric.CLIENT_MICROS, "FAST", 0, 0, 60);
        add(Metric.PAIR_MICROS, "FAST", 1, 2, 60);

        assertThat(results.figure(1, "FAST", Metric.CLIENT_MICROS)).contains(20.0);
        assertThat(results.figure(1, "FAST", Metric.PAIR_MICROS)).contains(2.0);
        assertThat(results.figure(1, "ABSENT", Metric.CLIENT_MICROS)).isEmpty();
        assertThat(results.figure(1, "ABSENT", Metric.PAIR_MICROS)).isEmpty();
    }

    @Test
    void failureOfAContenderBelongsToItsScenario() {
        results.addFailure(5, "SLOW", "it took longer than 30 s");

        assertThat(results.failures(5)).containsExactly(entry("SLOW", "it took longer than 30 s"));
        assertThat(results.failures(1)).isEmpty();
    }

    private void add(Metric metric, String contender, double... rounds) {
        for (int round = 0; round < rounds.length; round++) {
            results.add(1, contender, round, metric, rounds[round]);
        }
    }
}
