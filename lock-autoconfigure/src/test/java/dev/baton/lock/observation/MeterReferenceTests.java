package dev.baton.lock.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockListener.Ended.Reason;
import dev.baton.lock.LockStoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the tables of {@code docs/meters.md} match the enum. */
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

    @Test
    void everyOutcomeIsNamedAndHasItsRow() throws IOException {
        String[] outcomes = Stream.concat(
                        Stream.of("granted", "timeout"),
                        Arrays.stream(Reason.values()).map(LockMeter::outcome))
                .toArray(String[]::new);
        assertThat(LockMeter.Tag.OUTCOME.meaning().split(", ")).containsExactlyInAnyOrder(outcomes);
        for (String outcome : outcomes) {
            assertThat(rows("| " + outcome + " | ")).as(outcome).hasSize(1);
        }
    }

    @Test
    void onlyErrorsOfTheStoreAreStoreErrors() {
        assertThat(outcome(new LockStoreException("a", "Redis is down", null))).isEqualTo("store-error");
        assertThat(outcome(new LockDeadlockException("a", "me"))).isEqualTo("deadlock");
        assertThat(outcome(new LockInterruptedException("a", Duration.ZERO, new InterruptedException())))
                .isEqualTo("interrupted");
        assertThat(outcome(new CancellationException())).isEqualTo("cancelled");
        assertThat(outcome(new RejectedExecutionException())).isEqualTo("failed");
        assertThat(outcome(new StackOverflowError())).isEqualTo("failed");
    }

    private static String outcome(Throwable failure) {
        return LockMeter.outcome(Reason.of(failure));
    }

    private static List<String> rows(String prefix) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("..", "docs", "meters.md"))) {
            return lines.filter(line -> line.startsWith(prefix)).toList();
        }
    }
}
