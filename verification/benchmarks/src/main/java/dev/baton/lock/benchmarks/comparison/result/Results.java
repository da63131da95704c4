package dev.baton.lock.benchmarks.comparison.result;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The figures of a run, by scenario, contender, metric and round. May be used by any thread. */
public final class Results {

    private final Map<Figure, Map<Integer, Double>> figures = new ConcurrentHashMap<>();
    /** Why contenders did not finish, by scenario and contender. */
    private final Map<Integer, Map<String, String>> failures = new ConcurrentHashMap<>();

    /**
     * Adds a figure.
     *
     * @param contender the contender's name, or another label of a line in the scenario's table
     */
    public void add(int scenario, String contender, int round, Metric metric, double value) {
        figures.computeIfAbsent(new Figure(scenario, contender, metric), figure -> new TreeMap<>())
                .put(round, value);
    }

    /** Adds that a contender did not finish a scenario. */
    public void addFailure(int scenario, String contender, String why) {
        failures.computeIfAbsent(scenario, number -> new ConcurrentSkipListMap<>())
                .put(contender, why);
    }

    /** Returns why contenders did not finish a scenario, by contender. */
    public Map<String, String> failures(int scenario) {
        return failures.getOrDefault(scenario, Map.of());
    }

    /** The figures of one contender by round; empty if it was not measured. */
    public Map<Integer, Double> of(int scenario, String contender, Metric metric) {
        return figures.getOrDefault(new Figure(scenario, contender, metric), Map.of());
    }

    /** What its rounds say. */
    public Optional<Spread> spread(int scenario, String contender, Metric metric) {
        return Spread.of(of(scenario, contender, metric).values());
    }

    /** Returns the figure of the report: the mean or the median of the rounds, as the metric requires. */
    public Optional<Double> figure(int scenario, String contender, Metric metric) {
        if (!metric.averaged()) {
            return spread(scenario, contender, metric).map(Spread::median);
        }
        Map<Integer, Double> rounds = of(scenario, contender, metric);
        return rounds.isEmpty()
                ? Optional.empty()
                : Optional.of(rounds.values().stream()
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElseThrow());
    }

    /**
     * Returns how many times as fast as the base a contender is, within rounds: more is better, whatever the metric
     * counts.
     */
    public Optional<Spread> speed(int scenario, Metric metric, String contender, String base) {
        return metric.lessIsBetter()
                ? ratio(scenario, metric, base, contender)
                : ratio(scenario, metric, contender, base);
    }

    /** How many times the figure of another it is, within rounds. */
    public Optional<Spread> ratio(int scenario, Metric metric, String contender, String base) {
        return Spread.ofRatios(of(scenario, contender, metric), of(scenario, base, metric));
    }

    /** Returns the metrics that a scenario has of any contender. */
    public Set<Metric> metrics(int scenario) {
        Set<Metric> found = new LinkedHashSet<>();
        figures.keySet().stream()
                .filter(figure -> figure.scenario == scenario)
                .map(Figure::metric)
                .sorted()
                .forEach(found::add);
        return found;
    }

    private record Figure(int scenario, String contender, Metric metric) {}
}
