package dev.baton.sample.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class SimulationTests {

    /** A line of progress, which is printed each second, except for seconds that a busy machine misses. */
    private static final Pattern SECONDS = Pattern.compile("\\d+ s +\\d+ acquisitions");

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void lockPreventsOverlaps() {
        Simulation.run(out, "--simulate", "--processes=2", "--threads=2", "--seconds=2");
        assertThat(number("overlaps")).isZero();
        assertThat(number("acquisitions")).isPositive();
        assertThat(number("counter")).isEqualTo(number("acquisitions"));
        assertThat(number("  of process 1")).isPositive();
        assertThat(number("  of process 2")).isPositive();
        assertThat(number("hand-overs between processes")).isPositive();
        // most hand-overs are local passes
        assertThat(number("script calls per acquisition")).isBetween(0.01, 1.0);
        assertThat(number("publishes per acquisition")).isBetween(0.01, 1.0);
        assertThat(output())
                .contains("ok    never two at a time", "ok    the counter is right", "ok    every process was served");
    }

    @Test
    void processesWithLongWorkAlternate() {
        int exitCode =
                Simulation.run(out, "--simulate", "--processes=2", "--threads=2", "--seconds=2", "--hold-millis=25");
        // how evenly the processes were served within two seconds depends on the machine
        assertThat(exitCode).as(this::output).isEqualTo(output().contains("FAIL") ? 1 : 0);
        assertThat(number("script calls per acquisition")).isBetween(0.9, 1.5);
        assertThat(number("overlaps")).isZero();
        assertThat(output())
                .contains("ok    never two at a time", "ok    the counter is right", "ok    every process was served");
    }

    @Test
    void runWithoutTheLockHasOverlapsAndAWrongCounter() {
        int exitCode =
                Simulation.run(out, "--simulate", "--unprotected", "--processes=2", "--threads=2", "--seconds=1");
        assertThat(exitCode).as(this::output).isEqualTo(1);
        assertThat(number("overlaps")).isPositive();
        assertThat(number("counter")).isLessThan(number("acquisitions"));
        assertThat(output()).contains("FAIL  never two at a time", "FAIL  the counter is right");
    }

    @Test
    void dyingProcessIsReportedAndNoProcessIsLeft() {
        CompletableFuture<Integer> exitCode = CompletableFuture.supplyAsync(
                () -> Simulation.run(out, "--unprotected", "--processes=2", "--threads=1", "--seconds=60"));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> SECONDS.matcher(output()).find());
        long workers = ProcessHandle.current()
                .children()
                .filter(SimulationTests::isWorker)
                .limit(1)
                .filter(ProcessHandle::destroyForcibly)
                .count();
        assertThat(workers).isEqualTo(1);
        assertThat(exitCode).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(1);
        assertThat(output())
                .containsPattern("FAIL  process [12] \\(pid \\d+\\) died before it was done: exit code 137");
        assertThat(ProcessHandle.current().children()).noneMatch(SimulationTests::isWorker);
    }

    @Test
    void unknownOptionIsReported() {
        assertThat(Simulation.run(out, "--simulate", "--process=2")).isEqualTo(1);
        assertThat(output()).startsWith("FAIL  unknown option --process;");
    }

    private static boolean isWorker(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("java");
    }

    private String output() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private double number(String row) {
        Matcher matcher = Pattern.compile("(?m)^" + row + " +([0-9.]+)").matcher(output());
        assertThat(matcher.find()).as(() -> "row '" + row + "' in " + output()).isTrue();
        return Double.parseDouble(matcher.group(1));
    }
}
