package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.result.Spread;
import java.util.List;

/** Warms up by batches of the same work, until their time is steady. */
final class Steady {

    /** By how much the time of a batch may differ from that of the batch before. */
    private static final double CHANGE = 0.05;
    /** So many batches one after the other differ by no more. */
    private static final int IN_A_ROW = 3;

    private final int least;
    private final int most;

    /**
     * Sets the bounds.
     *
     * @param least the smallest number of batches
     * @param most the number of batches after which the work counts as warm even if its time is not steady
     */
    Steady(int least, int most) {
        this.least = least;
        this.most = most;
    }

    /** Repeats a batch until its median is steady; returns the number of batches. */
    int reach(Batch batch) throws InterruptedException {
        double before = Double.NaN;
        int steady = 0;
        for (int done = 1; ; done++) {
            double now = Spread.of(batch.times()).orElseThrow().median();
            // never steady after the first batch
            steady = Math.abs(now - before) <= CHANGE * before ? steady + 1 : 0;
            if (done >= most || done >= least && steady >= IN_A_ROW) {
                return done;
            }
            before = now;
        }
    }

    /** Some work. */
    @FunctionalInterface
    interface Batch {

        /** Does the work once, and returns the times of its parts. */
        List<Double> times() throws InterruptedException;
    }
}
