package dev.baton.sample.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimelineTests {

    private static final Duration RUN = Duration.ofNanos(100);

    @Test
    void timeBetweenTurnsIsAGapOnlyIfAProcessWaits() {
        Timeline timeline = Timeline.of(
                List.of(new Turn(0, 0, 10, 20), new Turn(1, 15, 23, 30), new Turn(1, 36, 40, 50)), 2, 0, RUN);
        assertThat(timeline.window().gaps()).containsExactly(new Timeline.Span(20, 23), new Timeline.Span(36, 40));
        assertThat(timeline.sums().gapNanos()).isEqualTo(7);
        assertThat(timeline.sums().longestGapNanos()).isEqualTo(4);
    }

    @Test
    void timeBetweenTurnsIsAGapIfALaterProcessWaits() {
        Timeline timeline = Timeline.of(
                List.of(new Turn(0, 0, 10, 20), new Turn(0, 28, 30, 40), new Turn(1, 12, 42, 50)), 2, 0, RUN);
        assertThat(timeline.window().gaps()).containsExactly(new Timeline.Span(20, 30), new Timeline.Span(40, 42));
        assertThat(timeline.window().handOvers()).containsExactly(new Timeline.HandOver(0, 1, 40, 42));
    }

    @Test
    void handOversAreWithinAProcessOrBetweenTwo() {
        Timeline timeline = Timeline.of(
                List.of(new Turn(0, 0, 10, 20), new Turn(0, 15, 21, 30), new Turn(1, 16, 32, 40)), 2, 0, RUN);
        assertThat(timeline.window().handOvers())
                .containsExactly(new Timeline.HandOver(0, 0, 20, 21), new Timeline.HandOver(0, 1, 30, 32));
        assertThat(timeline.sums().localHandOvers()).isEqualTo(1);
        assertThat(timeline.sums().remoteHandOvers()).isEqualTo(1);
    }

    @Test
    void overlapOfSeveralTurnsIsCountedAndShownOnce() {
        Timeline timeline =
                Timeline.of(List.of(new Turn(0, 0, 10, 40), new Turn(1, 0, 20, 30), new Turn(1, 0, 25, 50)), 2, 0, RUN);
        assertThat(timeline.sums().overlaps()).isEqualTo(2);
        assertThat(timeline.sums().overlapNanos()).isEqualTo(20);
        assertThat(timeline.window().overlaps()).containsExactly(new Timeline.Span(20, 40));
        assertThat(timeline.window().gaps()).isEmpty();
    }

    @Test
    void sharesAddUpToTheHeldTime() {
        Timeline timeline =
                Timeline.of(List.of(new Turn(0, 0, 0, 300), new Turn(1, 0, 500, 1000)), 2, 0, Duration.ofNanos(1200));
        assertThat(share(timeline, 0)).isEqualTo(0.25, within(1e-9));
        assertThat(share(timeline, 1)).isEqualTo(500 / 1200.0, within(1e-9));
    }

    @Test
    void windowOfALongRunIsItsMiddleAndBounded() {
        List<Turn> turns = consecutiveTurns(10_000);
        Timeline.Window window = Timeline.of(turns, 4, 0, RUN).window();
        assertThat(window.what()).isEqualTo("the middle of the run");
        assertThat(window.begun()).isEqualTo(Timeline.MOST_SHOWN);
        assertThat(window.from())
                .isBetween(turns.get(4900).started(), turns.get(5000).started());
        assertThat(window.turns().size()).isLessThan(2 * Timeline.MOST_SHOWN);
    }

    @Test
    void windowShowsTheFirstOverlap() {
        List<Turn> turns = new ArrayList<>(consecutiveTurns(10_000));
        Turn victim = turns.get(9000);
        turns.add(new Turn(3, victim.asked(), victim.started() + 1, victim.started() + 2));
        Timeline.Window window = Timeline.of(turns, 4, 0, RUN).window();
        assertThat(window.what()).isEqualTo("around the first overlap");
        assertThat(window.overlaps()).containsExactly(new Timeline.Span(victim.started() + 1, victim.started() + 2));
    }

    @Test
    void timelineAgreesWithTheFindings() {
        Random random = new Random(42);
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            long asked = random.nextInt(10_000);
            long started = asked + random.nextInt(50);
            turns.add(new Turn(random.nextInt(3), asked, started, started + random.nextInt(30)));
        }
        Findings findings = Findings.of(turns, 3, 500);
        Course.Sums sums = Timeline.of(turns, 3, 0, RUN).sums();
        assertThat(sums.overlaps()).isEqualTo(findings.overlaps()).isPositive();
        assertThat(sums.remoteHandOvers())
                .isEqualTo(findings.handOvers().size())
                .isPositive();
    }

    @Test
    void runWithoutATurnIsDrawn() {
        SimulationOptions options = new SimulationOptions(2, 1, Duration.ofSeconds(1), Duration.ofMillis(1), true);
        SimulationResult result = new SimulationResult(
                options,
                Findings.of(List.of(), 2, 0),
                new CommandCounts(0, 0),
                Timeline.of(List.of(), 2, 0, options.duration()));
        assertThat(TimelineSvg.of(result)).contains("The server was never held").endsWith("</svg>\n");
    }

    private static double share(Timeline timeline, int process) {
        return timeline.shares().stream()
                        .mapToDouble(slice -> slice.get(process))
                        .sum()
                / Timeline.SLICES;
    }

    private static List<Turn> consecutiveTurns(int count) {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            turns.add(new Turn(i % 4, 10L * i - 5, 10L * i, 10L * i + 8));
        }
        return turns;
    }
}
