package dev.baton.sample.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.DefaultApplicationArguments;

class TerminalTests {

    private static final Duration TEN = Duration.ofSeconds(10);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @TempDir
    private Path directory;

    @Test
    void progressWithoutATerminalIsALinePerSecond() {
        Progress progress = TerminalProgress.of(new DefaultApplicationArguments("--simulate"), out);
        List.of(900, 1100, 1300, 2100).forEach(millis -> progress.running(Duration.ofMillis(millis), TEN, millis));
        progress.done(3000);
        assertThat(output())
                .isEqualToNormalizingNewlines("   1 s     1100 acquisitions\n   2 s     2100 acquisitions\n");
    }

    @Test
    void barIsOverwrittenAndFullOnlyAtTheEnd() {
        Progress progress = TerminalProgress.of(new DefaultApplicationArguments("--progress=bar"), out);
        progress.running(Duration.ofSeconds(5), TEN, 42);
        progress.running(Duration.ofSeconds(12), TEN, 43);
        progress.done(44);
        assertThat(output())
                .isEqualToNormalizingNewlines("\r[" + "#".repeat(15) + ".".repeat(15) + "]  50 %        42 acquisitions"
                        + "\r[" + "#".repeat(29) + ".]  99 %        43 acquisitions"
                        + "\r[" + "#".repeat(30) + "] 100 %        44 acquisitions\n");
    }

    @Test
    void unknownProgressIsRefused() {
        assertThat(Simulation.run(out, "--simulate", "--progress=dots")).isEqualTo(1);
        assertThat(output()).startsWith("FAIL  --progress=dots is neither bar nor lines; write --progress=bar");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--timeline=picture.png", "--timeline", "--timeline=.svg", "--timeline=/no/such/folder/t.svg"})
    void invalidPictureFileIsRefusedBeforeTheRun(String option) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimelineFile.of(new DefaultApplicationArguments(option)))
                .withMessageStartingWith("--timeline=")
                .withMessageEndingWith("; write --timeline=/tmp/simulation-timeline.html");
    }

    @Test
    void pictureIsWrittenWithOrWithoutTheFigures() throws IOException {
        assertThat(written("t.svg")).startsWith("<svg ").endsWith("</svg>\n");
        assertThat(written("t.html"))
                .startsWith("<!doctype html>")
                .contains("<svg ", "</svg>", "ok    never two at a time: 0 overlaps");
    }

    private String written(String name) throws IOException {
        List<Turn> turns = List.of(new Turn(0, 0, 1_000_000, 2_000_000), new Turn(1, 0, 2_100_000, 3_000_000));
        SimulationOptions options = new SimulationOptions(2, 1, Duration.ofSeconds(1), Duration.ofMillis(1), true);
        SimulationResult result = new SimulationResult(
                options,
                Findings.of(turns, 2, 2),
                new CommandCounts(4, 1),
                Timeline.of(turns, 2, 0, options.duration()));
        Path file = directory.resolve(name);
        assertThat(TimelineFile.of(new DefaultApplicationArguments("--timeline=" + file))
                        .write(result))
                .isEqualTo(file);
        return Files.readString(file);
    }

    private String output() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
