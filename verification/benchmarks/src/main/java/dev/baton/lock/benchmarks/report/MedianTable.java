package dev.baton.lock.benchmarks.report;

import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.Result;

/** Medians of calls, and what each costs more than the first of them. Not thread-safe. */
public final class MedianTable {

    private final MarkdownTable table;
    private final Result<?> base;

    /**
     * An empty table.
     *
     * @param base what the others are compared with
     */
    public MedianTable(String what, Result<?> base) {
        this.table = new MarkdownTable(what, "median, µs", "90 %, µs", "added, µs", "goal, µs");
        this.base = base;
    }

    /**
     * Adds a line.
     *
     * @param goal what may be added at most; empty: there is none
     */
    public MedianTable row(String what, Result<?> result, String goal) {
        double median = result.getStatistics().getPercentile(50);
        double added = median - base.getStatistics().getPercentile(50);
        table.row(List.of(
                what,
                micros(median),
                micros(result.getStatistics().getPercentile(90)),
                result == base ? "" : micros(added),
                goal));
        return this;
    }

    private static String micros(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    @Override
    public String toString() {
        return table.toString();
    }
}
