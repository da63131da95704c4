package dev.baton.lock.benchmarks.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockRequest;
import dev.baton.lock.benchmarks.interception.LockedApplication;
import dev.baton.lock.observation.LockObservationMeters;
import dev.baton.lock.support.LockTemplate;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.springframework.context.ConfigurableApplicationContext;

/** Tests that the benchmark runs, and that the compared acquisitions are measured; no number is checked. */
class ObservationCostTests {

    @TempDir
    private Path folder;

    @Test
    void everyBenchmarkRunsAndIsInTheResult() throws RunnerException, IOException {
        var options = new OptionsBuilder()
                .include(ObservationBenchmark.class.getName())
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(1))
                .build();
        Path result = folder.resolve("observation.md");
        ObservationCost.write(result, new Runner(options).run());
        assertThat(Files.readAllLines(result))
                .filteredOn(line -> line.matches("(\\|[^|]+){5}\\|"))
                .hasSize(2 + Registries.values().length);
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "SIMPLE_DEFAULT"})
    void acquisitionsAreMeasuredAndObserved(Registries registries) {
        try (ConfigurableApplicationContext context = LockedApplication.start(registries.sources())) {
            assertThat(context.getBeansOfType(LockObservationMeters.class))
                    .hasSize(registries == Registries.SIMPLE ? 1 : 0);
            context.getBean(LockTemplate.class).execute(LockRequest.of("server_access"), lease -> 1);
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(meters.get("baton.wait").timer().count()).isEqualTo(1);
            assertThat(meters.get("baton.lock").timer().count()).isEqualTo(1);
        }
    }
}
