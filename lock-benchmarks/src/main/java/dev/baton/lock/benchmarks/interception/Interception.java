package dev.baton.lock.benchmarks.interception;

import dev.baton.lock.benchmarks.report.Machine;
import dev.baton.lock.benchmarks.report.MarkdownTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Measures {@link InterceptionBenchmark} and writes what the annotation adds to a call by hand. */
public final class Interception {

    private static final String BY_HAND = "byHandConstant";

    private Interception() {}

    /** Measures, about two minutes, and writes the result. */
    public static void measure(Path result) throws RunnerException, IOException {
        Options options = new OptionsBuilder()
                .include(InterceptionBenchmark.class.getName())
                .forks(3)
                .warmupIterations(4)
                .warmupTime(TimeValue.seconds(2))
                .measurementIterations(4)
                .measurementTime(TimeValue.seconds(2))
                .build();
        write(result, new Runner(options).run());
    }

    static void write(Path file, Collection<RunResult> results) throws IOException {
        Map<String, Result<?>> byName = new HashMap<>();
        results.forEach(run -> byName.put(run.getPrimaryResult().getLabel(), run.getPrimaryResult()));
        MarkdownTable table = new MarkdownTable("call", "median, µs", "90 %, µs", "added, µs", "goal, µs");
        add(table, byName, BY_HAND, "`LockTemplate.execute`, constant key", "");
        add(table, byName, "annotationConstant", "`@DistributedLock`, constant key", "1.5");
        add(table, byName, "byHandKeyed", "`LockTemplate.execute`, key of the call", "");
        add(table, byName, "annotationKeyed", "`@DistributedLock(key = \"#id\")`", "3");
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(file, text(table));
    }

    private static String text(MarkdownTable table) {
        return """
                # What the annotation adds to a lock by hand

                One uncontended call by one thread, locks in memory; %s. Medians, which other work on the machine hardly moves. "Added" is
                what a call costs more than `LockTemplate.execute` with a constant key.

                %s""".formatted(Machine.describe(), table);
    }

    private static void add(
            MarkdownTable table, Map<String, Result<?>> results, String name, String call, String goal) {
        Result<?> result = results.get(name);
        Result<?> byHand = results.get(BY_HAND);
        if (result == null || byHand == null) {
            throw new IllegalArgumentException("no result of " + name + "; there are " + results.keySet());
        }
        double median = result.getStatistics().getPercentile(50);
        double added = median - byHand.getStatistics().getPercentile(50);
        table.row(List.of(
                call,
                micros(median),
                micros(result.getStatistics().getPercentile(90)),
                name.equals(BY_HAND) ? "" : micros(added),
                goal));
    }

    private static String micros(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
