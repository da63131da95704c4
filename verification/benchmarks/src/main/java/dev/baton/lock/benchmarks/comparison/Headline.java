package dev.baton.lock.benchmarks.comparison;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import dev.baton.lock.benchmarks.comparison.result.Results;
import dev.baton.lock.benchmarks.comparison.result.Spread;
import java.util.List;
import java.util.Optional;

/**
 * One line of the page's opening: a contender beside Redisson.
 *
 * @param label the contender and its task, in a few words
 * @param scenario the number of the scenario
 * @param metric the figure that is compared
 * @param contestant the contender
 * @param redisson the lock of Redisson
 */
record Headline(String label, int scenario, Metric metric, Contestant contestant, Contestant redisson) {

    /** All of them, in the order of the page. */
    static List<Headline> all() {
        return List.of(
                pair("Baton, uncontended pair", 1, Contestant.BATON),
                pair("Baton over Jedis, uncontended pair", 1, Contestant.BATON_JEDIS),
                rate("Baton, 16 threads with a lock each", 2, Contestant.BATON),
                pair("Baton, two processes in turns of one", 11, Contestant.BATON),
                pair("Baton, two processes in turns of ten", 12, Contestant.BATON),
                rate("Baton, one process, 16 threads, one lock", 3, Contestant.BATON),
                rate("Baton in strict order, one process", 3, Contestant.BATON_STRICT),
                rate("Baton, 4 processes × 4 threads, one lock", 4, Contestant.BATON),
                rate("Baton in strict order, 4 processes × 4 threads", 4, Contestant.BATON_STRICT),
                handOver("Baton, hand-over between processes", 5),
                handOver("Baton, hand-over after a rest of 50 ms", 10),
                burst("Baton, burst of 200 waiters", Contestant.BATON),
                burst("Baton in strict order, burst of 200 waiters", Contestant.BATON_STRICT),
                shared("Baton, 16 readers of one lock", 13),
                shared("Baton, 19 reads of one lock per write", 14),
                new Headline(
                        "Baton, 16 threads and 4 permits",
                        15,
                        Metric.PER_SECOND,
                        Contestant.BATON_PERMITS,
                        Contestant.REDISSON_PERMITS));
    }

    private static Headline pair(String label, int scenario, Contestant contestant) {
        return new Headline(label, scenario, Metric.PAIR_MICROS, contestant, Contestant.REDISSON);
    }

    private static Headline rate(String label, int scenario, Contestant contestant) {
        return new Headline(label, scenario, Metric.PER_SECOND, contestant, Contestant.REDISSON);
    }

    private static Headline handOver(String label, int scenario) {
        return new Headline(label, scenario, Metric.HAND_OVER_MICROS, Contestant.BATON, Contestant.REDISSON);
    }

    private static Headline burst(String label, Contestant contestant) {
        return new Headline(label, 6, Metric.BURST_MILLIS, contestant, Contestant.REDISSON);
    }

    private static Headline shared(String label, int scenario) {
        return new Headline(label, scenario, Metric.PER_SECOND, Contestant.BATON, Contestant.REDISSON_READ_WRITE);
    }

    /**
     * Returns how many times as fast as Redisson it is; empty if one of them was not measured or, in a quick run, did not
     * acquire the lock.
     */
    Optional<Spread> speed(Results results) {
        return results.speed(scenario, metric, contestant.name(), redisson.name())
                .filter(speed -> Double.isFinite(speed.low()) && Double.isFinite(speed.high()));
    }

    /** The figure of the contender, with its unit. */
    String ours(Results results) {
        return figure(results, contestant.name());
    }

    /** The figure of Redisson, with its unit. */
    String theirs(Results results) {
        return figure(results, redisson.name());
    }

    private String figure(Results results, String name) {
        return results.spread(scenario, name, metric)
                .map(spread -> metric.format(spread.median()) + unit())
                .orElse("");
    }

    private String unit() {
        return switch (metric) {
            case PER_SECOND -> "/s";
            case BURST_MILLIS -> " ms";
            default -> " µs";
        };
    }
}
