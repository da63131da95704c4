package dev.baton.lock.benchmarks.interception;

import dev.baton.lock.benchmarks.report.Machine;
import dev.baton.lock.benchmarks.report.Measured;
import dev.baton.lock.benchmarks.report.MedianTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;

/** Measures {@link InterceptionBenchmark} and writes what the annotation adds to a call by hand. */
public final class Interception {

    private Interception() {}

    /** Measures, about two minutes, and writes the result. */
    public static void measure(Path result) throws RunnerException, IOException {
        write(result, new Runner(Measured.options(InterceptionBenchmark.class).build()).run());
    }

    static void write(Path file, Collection<RunResult> results) throws IOException {
        Measured measured = new Measured(results, run -> run.getPrimaryResult().getLabel());
        MedianTable table = new MedianTable("call", measured.of("byHandConstant"))
                .row("`LockTemplate.execute`, constant key", measured.of("byHandConstant"), "")
                .row("`@DistributedLock`, constant key", measured.of("annotationConstant"), "1.5")
                .row("`LockTemplate.execute`, key of the call", measured.of("byHandKeyed"), "")
                .row("`@DistributedLock(key = \"#id\")`", measured.of("annotationKeyed"), "3");
        Measured.write(file, """
                # What the annotation adds to a lock by hand

                One uncontended call by one thread, locks in memory; %s. Medians, which other work on the machine hardly moves. "Added" is
                what a call costs more than `LockTemplate.execute` with a constant key.

                %s""".formatted(Machine.describe(), table));
    }
}
