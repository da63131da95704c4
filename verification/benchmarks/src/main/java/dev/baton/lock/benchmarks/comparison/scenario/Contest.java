package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.process.CommandCount;
import dev.baton.lock.benchmarks.comparison.process.ContenderFailure;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What contestants do in the same way. */
abstract class Contest implements Scenario {

    /** The contestants that take part. */
    abstract List<Contestant> contestants();

    static List<Contestant> those(Predicate<Contestant> contestant) {
        return Arrays.stream(Contestant.values()).filter(contestant).toList();
    }

    @Override
    public Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        contestants().forEach(contestant -> lines.put(contestant.name(), contestant.label()));
        return lines;
    }

    void add(Bench bench, Contestant contestant, int round, Metric metric, double value) {
        bench.results().add(number(), contestant.name(), round, metric, value);
    }

    /** Counts the commands per acquisition of something that is not timed meanwhile. */
    void count(Bench bench, Contestant contestant, Counted work) {
        try (CommandCount commands = bench.count()) {
            double acquisitions = work.acquisitions();
            add(bench, contestant, 0, Metric.COMMANDS, commands.total() / acquisitions);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while counting", ex);
        }
    }

    /**
     * Takes turns of a scenario in which a contestant may not finish. One that fails takes no further part in it; only
     * Baton's failure ends the run.
     */
    void playUntilFailure(Bench bench, int rounds, Bench.Turn<Contestant> turn) throws InterruptedException {
        bench.play(contestants(), 2, rounds, (contestant, round) -> {
            if (bench.results().failures(number()).containsKey(contestant.name())) {
                return;
            }
            try {
                turn.play(contestant, round);
            } catch (ContenderFailure ex) {
                if (contestant.isOurs()) {
                    throw ex;
                }
                bench.results().addFailure(number(), contestant.name(), String.valueOf(ex.getMessage()));
            }
        });
    }

    /** Something that acquires. */
    @FunctionalInterface
    interface Counted {
        double acquisitions() throws InterruptedException;
    }

    /** How many times the least the most is; infinite if one got nothing. */
    static double maxToMin(long... counts) {
        return (double) Arrays.stream(counts).max().orElseThrow()
                / Arrays.stream(counts).min().orElseThrow();
    }
}
