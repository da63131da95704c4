package dev.baton.lock.benchmarks.comparison.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SteadyTests {

    @Test
    void endsOnceThreeChangesInARowAreSmall() throws InterruptedException {
        assertThat(batches(1, 50, 900, 500, 510, 400, 402, 398, 401, 100)).isEqualTo(7);
    }

    @Test
    void doesTheLeastNumberOfBatchesEvenIfTheTimeIsSteady() throws InterruptedException {
        assertThat(batches(9, 50, 10)).isEqualTo(9);
    }

    @Test
    void endsAtTheBoundIfTheTimeIsNeverSteady() throws InterruptedException {
        AtomicInteger times = new AtomicInteger();
        int done = new Steady(1, 20).reach(() -> List.of((double) (times.getAndIncrement() % 2 + 1)));
        assertThat(done).isEqualTo(20).isEqualTo(times.get());
    }

    @Test
    void oneSlowPartOfABatchDoesNotChangeItsMedian() throws InterruptedException {
        AtomicInteger times = new AtomicInteger();
        int done = new Steady(1, 20).reach(() -> List.of(10.0, 1_000.0 * times.incrementAndGet(), 10.0));
        assertThat(done).isEqualTo(4);
    }

    private static int batches(int least, int most, double... medians) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        return new Steady(least, most)
                .reach(() -> List.of(medians[Math.min(next.getAndIncrement(), medians.length - 1)]));
    }
}
