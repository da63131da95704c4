package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.testing.CallRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the pictures of {@code docs/internals.md} match the calls of the code. */
class InternalsTests {

    private static final Path PAGE = Path.of("..", "docs", "internals.md");
    private static final int MOST_CLASSES = 9;
    private static final Pattern ARROW = Pattern.compile("\\s+(\\w+)->>(\\w+): .+");

    @ParameterizedTest
    @ValueSource(
            classes = {
                Trip.UncontendedAcquire.class,
                Trip.ContendedWait.class,
                Trip.ReleaseAndHandOver.class,
                Trip.Renewal.class,
                Trip.Loss.class
            })
    void arrowsOfAPictureAreCallsInTheSameOrder(Class<? extends Trip> trip) throws Exception {
        List<String> arrows = arrows(trip.getSimpleName());
        List<String> calls = CallRecorder.callsOf(trip).stream()
                .map(call -> call.replace("FakeLockStore", "Store").replace("Trip", "Subscription"))
                .toList();

        assertThat(calls).containsSubsequence(arrows);

        Set<String> classes = new LinkedHashSet<>();
        arrows.forEach(arrow -> classes.addAll(List.of(arrow.split(" -> "))));
        classes.removeAll(Set.of("Store", "Subscription"));
        assertThat(classes).hasSizeLessThanOrEqualTo(MOST_CLASSES);
    }

    @Test
    void pageHasAPictureOfTheHandOverAndOfEachTrip() throws IOException {
        assertThat(Files.readAllLines(PAGE).stream().filter("sequenceDiagram"::equals))
                .hasSize(1 + 5);
    }

    private static List<String> arrows(String trip) throws IOException {
        List<String> arrows = new ArrayList<>();
        boolean here = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("## ")) {
                here = trip.equalsIgnoreCase(line.substring(3).replaceAll("\\W", ""));
            }
            Matcher arrow = ARROW.matcher(line);
            if (here && arrow.matches()) {
                arrows.add(arrow.group(1) + " -> " + arrow.group(2));
            }
        }
        assertThat(arrows).as("arrows of the picture of %s", trip).isNotEmpty();
        return arrows;
    }
}
