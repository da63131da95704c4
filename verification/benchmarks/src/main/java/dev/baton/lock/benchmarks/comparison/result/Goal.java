package dev.baton.lock.benchmarks.comparison.result;

import java.util.Optional;

/**
 * What is to be reached, and what was.
 *
 * @param what in a few words
 * @param most whether the bound is an upper one
 * @param bound how much
 * @param measured nothing if that was not part of the run
 */
public record Goal(String what, boolean most, double bound, Optional<Spread> measured) {

    /** A goal as it stands, for the report. */
    public String text() {
        return what + " " + (most ? "≤ " : "≥ ") + trimmed(bound);
    }

    /** The median and the quartiles, or that there are none. */
    public String figure() {
        return measured.map(Goal::text).orElse("not measured");
    }

    /** Whether the median reaches it; empty if nothing was measured. */
    public String met() {
        return measured.map(spread -> reached(spread.median()) ? "yes" : "**no**")
                .orElse("");
    }

    private boolean reached(double value) {
        return most ? value <= bound : value >= bound;
    }

    /** A median with its quartiles. */
    static String text(Spread spread) {
        String median = trimmed(spread.median());
        return spread.low() == spread.high()
                ? median
                : median + " (" + trimmed(spread.low()) + " – " + trimmed(spread.high()) + ")";
    }

    private static String trimmed(double value) {
        double size = Math.abs(value);
        String text = Metric.text(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }
}
