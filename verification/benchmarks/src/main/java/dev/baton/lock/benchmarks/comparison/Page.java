package dev.baton.lock.benchmarks.comparison;

import dev.baton.lock.benchmarks.comparison.result.Chart;
import dev.baton.lock.benchmarks.comparison.result.Goal;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import dev.baton.lock.benchmarks.comparison.result.Results;
import dev.baton.lock.benchmarks.comparison.result.Spread;
import dev.baton.lock.benchmarks.comparison.scenario.Scenario;
import dev.baton.lock.benchmarks.report.MarkdownTable;
import dev.baton.lock.benchmarks.report.Measured;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Writes what was found: one page, and a picture per scenario. Not thread-safe. */
final class Page {

    private final Results results;
    private final Path folder;
    private final StringBuilder text = new StringBuilder();

    Page(Results results, Path folder) {
        this.results = results;
        this.folder = folder;
    }

    Page add(String paragraphs) {
        text.append(paragraphs).append('\n');
        return this;
    }

    /** Adds how many times as fast as Redisson each of these is, as a picture and as a table. */
    Page headlines(List<Headline> headlines) throws IOException {
        String title = "How many times as fast as Redisson";
        MarkdownTable table = new MarkdownTable("task", "Baton", "Redisson", "times as fast");
        Chart chart = new Chart(title, Metric.FASTER).bar("Redisson", new Spread(1, 1, 1));
        for (Headline headline : headlines) {
            headline.speed(results).ifPresent(speed -> {
                chart.bar(headline.label(), speed);
                table.row(List.of(
                        headline.label(),
                        headline.ours(results),
                        headline.theirs(results),
                        cell(Optional.of(speed), Page::ratio)));
            });
        }
        String file = "comparison-times-redisson.svg";
        Measured.write(folder.resolve(file), chart.toString());
        add("## " + title + "\n");
        add(
                "More is better: 2 is half the time per acquisition, or twice as many acquisitions. Redisson is its `RLock`,"
                        + " its `RReadWriteLock` where locks are shared, and its `RPermitExpirableSemaphore` for permits."
                        + " Both were measured in the same rounds.\n");
        add("![" + title + "](" + file + ")\n");
        return add(table.toString());
    }

    Page goals(List<Goal> goals) {
        MarkdownTable table = new MarkdownTable("goal", "measured", "met?");
        goals.forEach(goal -> table.row(List.of(goal.text(), goal.figure(), goal.met())));
        return add(table.toString());
    }

    Page scenario(Scenario scenario) throws IOException {
        add("## " + scenario.number() + ". " + scenario.title() + "\n");
        add(scenario.explanation() + "\n");
        add(table(scenario));
        results.failures(scenario.number())
                .forEach((contender, why) -> add("**" + scenario.lines().get(contender) + " did not finish**: " + why
                        + ". It took no further part in this task.\n"));
        Chart chart = chart(scenario);
        if (!chart.isEmpty()) {
            String file = "comparison-" + name(scenario.title()) + ".svg";
            Measured.write(folder.resolve(file), chart.toString());
            add("![" + scenario.title() + "](" + file + ")\n");
        }
        return this;
    }

    void write() throws IOException {
        Measured.write(folder.resolve("comparison.md"), text.toString().stripTrailing() + "\n");
    }

    private String table(Scenario scenario) {
        Map<String, String> lines = scenario.lines();
        Metric headline = scenario.headline();
        List<Metric> others = results.metrics(scenario.number()).stream()
                .filter(metric ->
                        metric != headline && lines.keySet().stream().anyMatch(measured(scenario, metric)::isHere))
                .toList();
        String base = scenario.base();
        List<String> columns = new ArrayList<>(List.of("contender", headline.title()));
        if (base != null) {
            // up to the colon: the rest explains it
            columns.add("times " + lines.getOrDefault(base, base).replaceAll(":.*", ""));
        }
        others.forEach(metric -> columns.add(metric.title()));
        MarkdownTable table = new MarkdownTable(columns.toArray(String[]::new));
        lines.forEach((contender, label) -> {
            List<String> cells = new ArrayList<>(List.of(label));
            cells.add(cell(results.spread(scenario.number(), contender, headline), headline::format));
            if (base != null) {
                cells.add(cell(results.ratio(scenario.number(), headline, contender, base), Page::ratio));
            }
            others.forEach(metric -> cells.add(results.figure(scenario.number(), contender, metric)
                    .map(metric::format)
                    .orElse("")));
            table.row(cells);
        });
        return table.toString();
    }

    private interface Measurement {
        boolean isHere(String contender);
    }

    private Measurement measured(Scenario scenario, Metric metric) {
        return contender -> !results.of(scenario.number(), contender, metric).isEmpty();
    }

    private static String cell(Optional<Spread> spread, Function<Double, String> format) {
        return spread.map(found -> found.low() == found.high()
                        ? format.apply(found.median())
                        : format.apply(found.median()) + " (" + format.apply(found.low()) + " – "
                                + format.apply(found.high()) + ")")
                .orElse("");
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }

    private Chart chart(Scenario scenario) {
        Chart chart = new Chart(scenario.title(), scenario.headline());
        scenario.lines()
                .forEach((contender, label) -> results.spread(scenario.number(), contender, scenario.headline())
                        .ifPresent(spread -> chart.bar(label, spread)));
        return chart;
    }

    private static String name(String title) {
        return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }
}
