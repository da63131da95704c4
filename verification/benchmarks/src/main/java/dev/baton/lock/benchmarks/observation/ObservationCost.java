package dev.baton.lock.benchmarks.observation;

import dev.baton.lock.benchmarks.report.Machine;
import dev.baton.lock.benchmarks.report.Measured;
import dev.baton.lock.benchmarks.report.MedianTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;

/** Measures {@link ObservationBenchmark} and writes what meters and observations add. */
public final class ObservationCost {

    private ObservationCost() {}

    /** Measures, about two minutes, and writes the result. */
    public static void measure(Path result) throws RunnerException, IOException {
        write(result, new Runner(Measured.options(ObservationBenchmark.class).build()).run());
    }

    static void write(Path file, Collection<RunResult> results) throws IOException {
        Measured measured = new Measured(results, run -> run.getParams().getParam(ObservationBenchmark.PARAMETER));
        MedianTable table = new MedianTable("registries", measured.of(Registries.NONE.name()))
                .row("none", measured.of(Registries.NONE.name()), "")
                .row("that keep nothing", measured.of(Registries.NO_OP.name()), "0.3")
                .row("in memory", measured.of(Registries.SIMPLE.name()), "2")
                .row("in memory, with Micrometer's handler", measured.of(Registries.SIMPLE_DEFAULT.name()), "");
        Measured.write(file, """
                # What meters and observations add to an acquisition

                One uncontended acquisition and its release by one thread, locks in memory; %s. Medians, which other work on the machine
                hardly moves.

                %s""".formatted(Machine.describe(), table));
    }
}
