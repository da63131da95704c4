package dev.baton.lock.spec;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the quick runs of {@code docs/spec/runs.txt}; {@link ModelTests} has the others. */
@Tag("once")
class QuickModelTests {

    @ParameterizedTest
    @MethodSource("runs")
    void tlcFindsWhatTheListSays(Run run) throws Exception {
        ModelTests.check(run);
    }

    static Stream<Run> runs() throws IOException {
        return Run.all().stream().filter(Run::quick);
    }
}
