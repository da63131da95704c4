package dev.baton.lock.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of {@code docs/meters.md} are those of the enum. */
class MeterReferenceTests {

    @Test
    void everyMeterHasItsRow() throws IOException {
        assertThat(rows("| `baton."))
                .containsExactly(Arrays.stream(LockMeter.values())
                        .map(meter -> "| `" + meter.key() + "` | "
                                + meter.type().name().toLowerCase(Locale.ROOT) + " | "
                                + meter.tags().stream()
                                        .map(tag -> "`" + tag.key() + "`")
                                        .collect(Collectors.joining(", "))
                                + " | " + meter.meaning() + " |")
                        .toArray(String[]::new));
    }

    @Test
    void everyTagHasItsRow() throws IOException {
        List<String> tags =
                rows("| `").stream().filter(row -> !row.startsWith("| `baton.")).toList();
        assertThat(tags)
                .containsExactly(Arrays.stream(LockMeter.Tag.values())
                        .map(tag -> "| `" + tag.key() + "` | " + tag.meaning() + " |")
                        .toArray(String[]::new));
    }

    private static List<String> rows(String prefix) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("..", "docs", "meters.md"))) {
            return lines.filter(line -> line.startsWith(prefix)).toList();
        }
    }
}
