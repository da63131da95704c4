package dev.baton.lock.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the runs of {@code docs/spec/runs.txt} that take too long for the ordinary build. */
@Tag("nightly")
@Tag("models")
class ModelTests {

    @ParameterizedTest
    @MethodSource("runs")
    void tlcFindsWhatTheListSays(Run run) throws Exception {
        check(run);
    }

    static Stream<Run> runs() throws IOException {
        return Run.all().stream().filter(run -> !run.quick());
    }

    static void check(Run run) throws IOException, InterruptedException {
        Tlc.Result result = Tlc.run(run);
        System.out.printf(
                Locale.ROOT,
                "%-16s %-16s %,12d states %5d s%n",
                run,
                result.outcome(),
                result.states(),
                result.seconds());
        String found = result.outcome().equals("ok") ? "ok " + result.states() : result.outcome();
        assertThat(found).as("result of %s:%n%s", run, result.log()).isEqualTo(run.expected());
    }
}
