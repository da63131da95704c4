package dev.baton.lock.benchmarks.comparison.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoalsTests {

    private final Results results = new Results();
    private final Goals goals = new Goals(results);

    @Test
    void medianOfTheRatiosIsComparedWithTheBound() {
        rate("FAST", 30, 90, 40);
        rate("SLOW", 10, 10, 10);
        goals.atLeast("rate", 4, 3, Metric.PER_SECOND, "FAST", "SLOW")
                .atLeast("rate", 4.1, 3, Metric.PER_SECOND, "FAST", "SLOW")
                .atMost("rate", 4, 3, Metric.PER_SECOND, "FAST", "SLOW")
                .atMost("rate", 3.9, 3, Metric.PER_SECOND, "FAST", "SLOW");
        assertThat(goals.all()).extracting(Goal::met).containsExactly("yes", "**no**", "yes", "**no**");
        assertThat(goals.all().get(0).text()).isEqualTo("rate ≥ 4");
        assertThat(goals.all().get(0).figure()).isEqualTo("4 (3.5 – 6.5)");
    }

    @Test
    void absoluteFiguresAreComparedWithTheBound() {
        rate("FAST", 1_000);
        goals.atMost("rate", 999, 3, Metric.PER_SECOND, "FAST").atMost("rate", 1_000, 3, Metric.PER_SECOND, "FAST");
        assertThat(goals.all()).extracting(Goal::met).containsExactly("**no**", "yes");
        assertThat(goals.all().get(0).figure()).isEqualTo("1,000");
    }

    @Test
    void unmeasuredGoalIsNeitherMetNorMissed() {
        rate("FAST", 1);
        goals.atMost("rate", 1, 3, Metric.PER_SECOND, "FAST", "ABSENT").atMost("rate", 1, 4, Metric.PER_SECOND, "FAST");
        assertThat(goals.all()).extracting(Goal::met).containsOnly("");
        assertThat(goals.all()).extracting(Goal::figure).containsOnly("not measured");
    }

    private void rate(String contender, double... rounds) {
        for (int round = 0; round < rounds.length; round++) {
            results.add(3, contender, round, Metric.PER_SECOND, rounds[round]);
        }
    }
}
