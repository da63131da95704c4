package dev.baton.sample.simulate;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Prints what was found, and the verdicts. */
final class ResultTable {

    private final PrintStream out;

    ResultTable(PrintStream out) {
        this.out = out;
    }

    void print(Findings findings, CommandCounts commands, Duration duration) {
        long turns = findings.turns();
        out.println();
        row("acquisitions", turns + perSecond(turns, duration));
        for (int i = 0; i < findings.turnsOfProcess().size(); i++) {
            int own = findings.turnsOfProcess().get(i);
            row(
                    "  of process " + (i + 1),
                    own + String.format(Locale.ROOT, " (%.1f %%)", 100.0 * own / Math.max(1, turns)));
        }
        row("hand-overs between processes", String.valueOf(findings.handOvers().size()));
        row("  p50 / p99", percentiles(findings.handOvers()));
        row("waiting p50 / p99", percentiles(findings.waits()));
        row("overlaps", String.valueOf(findings.overlaps()));
        row("counter", String.valueOf(findings.counter()));
        row("script calls per acquisition", ratio(commands.scripts(), turns));
        row("publishes per acquisition", ratio(commands.publishes(), turns));
        out.println();
        findings.verdicts().forEach(verdict -> out.println((verdict.holds() ? "ok    " : "FAIL  ") + verdict.text()));
    }

    private void row(String name, String value) {
        out.printf(Locale.ROOT, "%-30s %s%n", name, value);
    }

    private static String perSecond(long turns, Duration duration) {
        return String.format(Locale.ROOT, " (%.0f per second)", turns * 1e9 / duration.toNanos());
    }

    private static String percentiles(List<Long> sorted) {
        return sorted.isEmpty()
                ? "-"
                : millis(Findings.percentile(sorted, 0.5)) + " / " + millis(Findings.percentile(sorted, 0.99)) + " ms";
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.2f", nanos / 1e6);
    }

    private static String ratio(long commands, long turns) {
        return turns == 0 ? "-" : String.format(Locale.ROOT, "%.3f", (double) commands / turns);
    }
}
