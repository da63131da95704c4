package dev.baton.lock.benchmarks.interception;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.springframework.context.ConfigurableApplicationContext;

/** Tests that the benchmarks run, and that they measure locked calls; no number is checked. */
class InterceptionTests {

    @TempDir
    private Path folder;

    @Test
    void everyBenchmarkRunsAndIsInTheResult() throws RunnerException, IOException {
        var options = new OptionsBuilder()
                .include(InterceptionBenchmark.class.getName())
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(1))
                .timeUnit(TimeUnit.MICROSECONDS)
                .build();
        Path result = folder.resolve("results").resolve("interception.md");
        Interception.write(result, new Runner(options).run());
        assertThat(Files.readAllLines(result))
                .filteredOn(line -> line.startsWith("| `"))
                .hasSize(4)
                .allMatch(line -> line.matches("(\\|[^|]+){5}\\|"));
    }

    @Test
    void annotatedCallsAreLocked() {
        try (ConfigurableApplicationContext context = LockedApplication.start(Grants.class)) {
            LockedCalls calls = context.getBean(LockedCalls.class);
            calls.constant("42");
            calls.keyed("42");
            assertThat(context.getBean(Grants.class).names).containsExactly("server_access.global", "server_access.42");
        }
    }

    static class Grants implements LockListener {

        final List<String> names = new CopyOnWriteArrayList<>();

        @Override
        public void granted(Granted event) {
            names.addAll(event.names());
        }
    }
}
