package dev.baton.lock.benchmarks.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import dev.baton.lock.benchmarks.comparison.result.Results;
import dev.baton.lock.benchmarks.comparison.scenario.Bench;
import dev.baton.lock.benchmarks.comparison.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that every contender runs every scenario and is listed in the result; no number is checked. */
@Tag("nightly")
class ComparisonTests {

    @TempDir
    private Path folder;

    @Test
    void everyContenderHasAResultInEveryScenario() throws IOException, InterruptedException {
        List<Scenario> scenarios = Comparison.scenarios();
        Set<Integer> numbers =
                new TreeSet<>(scenarios.stream().map(Scenario::number).toList());
        assertThat(numbers).containsExactly(1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13, 14, 15, 16);
        Set<Contestant> contenders = EnumSet.allOf(Contestant.class);
        try (Bench bench = new Bench(true, contenders)) {
            Comparison.measure(bench, new Options(true, numbers, contenders, folder));
            scenarios.forEach(scenario -> assertComplete(scenario, bench.results()));
        }
        List<String> page = Files.readAllLines(folder.resolve("comparison.md"));
        assertThat(page).filteredOn(line -> line.startsWith("![")).hasSize(scenarios.size() + 1);
        assertThat(page)
                .filteredOn(line -> line.startsWith("## "))
                .startsWith("## How many times as fast as Redisson")
                .endsWith("## Goals of the project");
        assertThat(page).noneMatch(line -> line.contains("not measured"));
        assertThat(page).noneMatch(line -> line.contains("/home/") || line.contains(folder.toString()));
        try (var files = Files.list(folder)) {
            assertThat(files.filter(file -> file.toString().endsWith(".svg"))).hasSize(scenarios.size() + 1);
        }
    }

    private static void assertComplete(Scenario scenario, Results results) {
        scenario.lines().forEach((contender, label) -> {
            Set<Metric> measured = results.metrics(scenario.number());
            assertThat(measured).contains(scenario.headline());
            assertThat(results.of(scenario.number(), contender, scenario.headline()))
                    .as("%s: %s", scenario.title(), label)
                    .isNotEmpty()
                    .allSatisfy((round, figure) -> assertThat(figure).isFinite());
        });
    }
}
