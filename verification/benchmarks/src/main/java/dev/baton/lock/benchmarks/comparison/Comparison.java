package dev.baton.lock.benchmarks.comparison;

import dev.baton.lock.benchmarks.comparison.scenario.AsyncWaiters;
import dev.baton.lock.benchmarks.comparison.scenario.Bench;
import dev.baton.lock.benchmarks.comparison.scenario.Crowd;
import dev.baton.lock.benchmarks.comparison.scenario.FourProcesses;
import dev.baton.lock.benchmarks.comparison.scenario.HandOver;
import dev.baton.lock.benchmarks.comparison.scenario.HeldNames;
import dev.baton.lock.benchmarks.comparison.scenario.OneProcess;
import dev.baton.lock.benchmarks.comparison.scenario.Permits;
import dev.baton.lock.benchmarks.comparison.scenario.PingPong;
import dev.baton.lock.benchmarks.comparison.scenario.Scenario;
import dev.baton.lock.benchmarks.comparison.scenario.SharedLock;
import dev.baton.lock.benchmarks.comparison.scenario.Turns;
import dev.baton.lock.benchmarks.comparison.scenario.UncontendedPair;
import dev.baton.lock.benchmarks.report.Machine;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Compares ways of locking with each other, all in one run. */
public final class Comparison {

    private Comparison() {}

    /** Every scenario, in the order of the report. */
    static List<Scenario> scenarios() {
        return List.of(
                new UncontendedPair(),
                OneProcess.ownKeys(),
                OneProcess.oneKey(),
                new FourProcesses(),
                HandOver.warm(),
                new Crowd(),
                new AsyncWaiters(),
                new HeldNames(),
                HandOver.rested(),
                Turns.ofOne(),
                Turns.ofTen(),
                SharedLock.readers(),
                SharedLock.mixed(),
                new Permits(),
                new PingPong());
    }

    /** Measures and writes the results; see the module's README for the options. */
    public static void main(String... args) throws IOException, InterruptedException {
        List<Integer> known =
                scenarios().stream().map(Scenario::number).distinct().toList();
        Options options = Options.parse(known, args);
        try (Bench bench = new Bench(options.quick(), options.contestants())) {
            measure(bench, options);
        }
        // others leave threads behind
        System.exit(0);
    }

    /** Measures on this bench and writes the results. */
    static void measure(Bench bench, Options options) throws IOException, InterruptedException {
        List<Scenario> chosen = scenarios().stream()
                .filter(scenario -> options.scenarios().contains(scenario.number()))
                .toList();
        long start = System.nanoTime();
        for (Scenario scenario : chosen) {
            System.out.printf("%4d s  %d. %s%n", seconds(start), scenario.number(), scenario.title());
            scenario.run(bench);
        }
        Page page = new Page(bench.results(), options.folder()).add("# Locks on Redis, side by side\n");
        if (options.quick()) {
            page.add("**A quick run, whose figures mean nothing.**\n");
        }
        page.headlines(Headline.all());
        page.add("""
                ## How it was measured

                One run of %d s on %s, with redis-server %s on the same machine. %s; all with their defaults. Only
                Baton and lock4j have a longer wait time than by default, because the other libraries wait without a bound.

                The contenders take turns: each once per round, in a new order in each round. Figures are medians of the rounds, with
                their quartiles; ratios are taken within a round, so that what slows down a whole round is in none of them.
                Commands are those that clients send, counted in a round that is not timed. Commands, bytes and CPU times are
                per acquisition with its release. Bytes are counted by Redis. CPU times are means, of Redis and of all client
                processes together.
                """.formatted(seconds(start), Machine.details(), bench.redisVersion(), Peers.describe()));
        for (Scenario scenario : chosen) {
            page.scenario(scenario);
        }
        page.add("## Goals of the project\n").goals(OurGoals.of(bench.results()));
        page.write();
        System.out.printf("%4d s  written to %s%n", seconds(start), options.folder());
    }

    private static long seconds(long start) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    }
}
