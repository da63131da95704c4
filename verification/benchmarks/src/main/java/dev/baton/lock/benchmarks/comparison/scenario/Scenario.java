package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.result.Metric;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One task that every capable contestant performs in turn. */
public interface Scenario {

    /** Its number in the report. */
    int number();

    /** What is done, in a few words. */
    String title();

    /** What the figures mean. */
    String explanation();

    /** The lines of its table: names in the results, and what they are called. */
    Map<String, String> lines();

    /** The figure that is compared. */
    Metric headline();

    /** With which line; null: with none. */
    @Nullable
    String base();

    /** Measures. */
    void run(Bench bench) throws InterruptedException;
}
