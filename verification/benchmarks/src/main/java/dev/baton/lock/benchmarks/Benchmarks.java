package dev.baton.lock.benchmarks;

import dev.baton.lock.benchmarks.interception.Interception;
import dev.baton.lock.benchmarks.observation.ObservationCost;
import java.io.IOException;
import java.nio.file.Path;
import org.openjdk.jmh.runner.RunnerException;

/** Runs every benchmark and writes one result per subject. */
public final class Benchmarks {

    private Benchmarks() {}

    /** Measures. One argument, the folder for the results; without it {@code results} in the working directory. */
    public static void main(String... args) throws RunnerException, IOException {
        Path results = Path.of(args.length == 0 ? "results" : args[0]);
        Interception.measure(results.resolve("interception.md"));
        ObservationCost.measure(results.resolve("observation.md"));
    }
}
