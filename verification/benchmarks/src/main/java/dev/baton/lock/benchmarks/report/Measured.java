package dev.baton.lock.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Results of a run, by name. Not thread-safe. */
public final class Measured {

    private final Map<String, Result<?>> byName = new HashMap<>();

    /**
     * Sorts results.
     *
     * @param name what a run is called
     */
    public Measured(Collection<RunResult> runs, Function<RunResult, String> name) {
        runs.forEach(run -> byName.put(name.apply(run), run.getPrimaryResult()));
    }

    /** How long each benchmark of a class is measured. */
    public static ChainedOptionsBuilder options(Class<?> benchmark) {
        return new OptionsBuilder()
                .include(benchmark.getName())
                .forks(3)
                .warmupIterations(4)
                .warmupTime(TimeValue.seconds(2))
                .measurementIterations(4)
                .measurementTime(TimeValue.seconds(2));
    }

    /** The result of a run; {@link IllegalArgumentException} if there is none. */
    public Result<?> of(String name) {
        Result<?> result = byName.get(name);
        if (result == null) {
            throw new IllegalArgumentException("no result of " + name + "; there are " + byName.keySet());
        }
        return result;
    }

    /** Writes a page, and makes its folder if there is none. */
    public static void write(Path file, String text) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(file, text);
    }
}
