package dev.baton.lock.benchmarks.comparison.result;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What several rounds say about one figure.
 *
 * @param low a quarter of the rounds is at or below it
 * @param median half of them are
 * @param high three quarters of them are
 */
public record Spread(double low, double median, double high) {

    /** Of the figures of rounds; empty if there are none. */
    public static Optional<Spread> of(Collection<Double> figures) {
        if (figures.isEmpty()) {
            return Optional.empty();
        }
        double[] sorted =
                figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return Optional.of(new Spread(quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)));
    }

    /**
     * Of the ratios within rounds: what slows a whole round down is in both figures of it and in no ratio. Rounds that have only
     * one of the two are left out.
     */
    public static Optional<Spread> ofRatios(Map<Integer, Double> figures, Map<Integer, Double> bases) {
        Map<Integer, Double> ratios = new TreeMap<>();
        figures.forEach((round, figure) -> {
            Double base = bases.get(round);
            if (base != null) {
                ratios.put(round, figure / base);
            }
        });
        return of(ratios.values());
    }

    private static double quantile(double[] sorted, double share) {
        double at = share * (sorted.length - 1);
        double below = sorted[(int) Math.floor(at)];
        double above = sorted[(int) Math.ceil(at)];
        // equal ones may be infinite
        return below == above ? below : below + (at - Math.floor(at)) * (above - below);
    }
}
