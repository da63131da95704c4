package dev.baton.lock.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the colours of the board and of the page of the sample, in both themes: text has a contrast of at least 4.5 to
 * 1 and graphics of at least 3 to 1, by WCAG 2 (AA), and each colour must be listed here.
 */
class ContrastTests {

    private static final double TEXT = 4.5;
    private static final double GRAPHICS = 3;

    private static final Path BOARD = Path.of("src/main/resources/dev/baton/lock/board/board.css");
    private static final Path SAMPLE = Path.of("..", "sample-app/src/main/resources/static/index.html");

    /** Neither text nor meaningful graphics: backgrounds, and lines around elements with enough contrast. */
    private static final List<String> GROUNDS =
            List.of("ground", "card", "line", "track", "bad-ground", "note-ground", "paper", "stripe");

    record Pair(Path page, String theme, String front, String back, double least) {

        @Override
        public String toString() {
            return page.getFileName() + " " + theme + ": " + front + " on " + back;
        }
    }

    static Stream<Pair> pairs() {
        return Stream.of("light", "dark")
                .flatMap(theme -> Stream.of(
                                on(BOARD, theme, TEXT, "ground", "ink", "quiet"),
                                on(BOARD, theme, TEXT, "card", "ink", "quiet", "blue", "orange", "danger"),
                                on(BOARD, theme, TEXT, "bad-ground", "ink"),
                                on(BOARD, theme, TEXT, "note-ground", "ink"),
                                on(BOARD, theme, TEXT, "danger", "on-danger"),
                                on(BOARD, theme, GRAPHICS, "track", "blue", "orange"),
                                on(BOARD, theme, GRAPHICS, "ground", "blue", "orange", "quiet"),
                                on(SAMPLE, theme, TEXT, "paper", "ink", "soft", "link"),
                                on(SAMPLE, theme, TEXT, "card", "ink", "soft", "link", "bad", "good"),
                                on(SAMPLE, theme, TEXT, "link", "card"),
                                on(SAMPLE, theme, TEXT, "bad-ground", "ink"),
                                on(SAMPLE, theme, GRAPHICS, "paper", "focus", "bad"),
                                on(SAMPLE, theme, GRAPHICS, "card", "focus"),
                                IntStream.rangeClosed(0, 8)
                                        .boxed()
                                        .flatMap(i -> Stream.of(
                                                new Pair(SAMPLE, theme, "on", "i" + i, TEXT),
                                                new Pair(SAMPLE, theme, "i" + i, "ground", i == 0 ? 1 : GRAPHICS))))
                        .flatMap(pairs -> pairs));
    }

    private static Stream<Pair> on(Path page, String theme, double least, String back, String... fronts) {
        return Stream.of(fronts).map(front -> new Pair(page, theme, front, back, least));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void pairHasEnoughContrast(Pair pair) throws IOException {
        Map<String, int[]> colours = colours(pair.page, pair.theme);
        assertThat(ratio(colours.get(pair.front), colours.get(pair.back)))
                .as(pair.toString())
                .isGreaterThanOrEqualTo(pair.least);
    }

    /** The number of an instance is shown on white or black stripes. */
    @Test
    void numberOnStripesHasEnoughContrast() throws IOException {
        for (String theme : List.of("light", "dark")) {
            Map<String, int[]> colours = colours(SAMPLE, theme);
            for (int i = 1; i <= 8; i++) {
                int[] striped = over(colours.get("stripe"), colours.get("i" + i));
                assertThat(ratio(colours.get("on"), striped))
                        .as("stripes on " + i + ", " + theme)
                        .isGreaterThanOrEqualTo(TEXT);
            }
        }
    }

    @Test
    void everyColourIsListed() throws IOException {
        for (Path page : List.of(BOARD, SAMPLE)) {
            assertThat(colours(page, "dark").keySet())
                    .allSatisfy(colour -> assertThat(GROUNDS.contains(colour)
                                    || pairs().anyMatch(pair -> pair.page.equals(page) && pair.front.equals(colour)))
                            .as(colour + " of " + page)
                            .isTrue());
        }
    }

    /** These colours alone do not show the effect of opacity. */
    @Test
    void readableTextIsNotMadePaler() throws IOException {
        for (Path page : List.of(BOARD, SAMPLE)) {
            assertThat(Files.readAllLines(page))
                    .filteredOn(line -> line.matches(".*opacity: ?0?\\..*"))
                    .allMatch(line -> line.contains(":disabled {"), "is of a button that cannot be pressed");
        }
    }

    @Test
    void ratioIsThatOfWcag() {
        assertThat(ratio(new int[] {0, 0, 0, 255}, new int[] {255, 255, 255, 255}))
                .isEqualTo(21);
        assertThat(ratio(new int[] {0x77, 0x77, 0x77, 255}, new int[] {255, 255, 255, 255}))
                .isBetween(4.47, 4.48);
    }

    private static double ratio(int[] one, int[] other) {
        double a = luminance(one);
        double b = luminance(other);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }

    private static double luminance(int[] colour) {
        return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
    }

    private static double linear(int channel) {
        double value = channel / 255.0;
        return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }

    private static int[] over(int[] front, int[] back) {
        double share = front[3] / 255.0;
        return IntStream.range(0, 4)
                .map(i -> i == 3 ? 255 : (int) Math.round(front[i] * share + back[i] * (1 - share)))
                .toArray();
    }

    /**
     * Returns the custom properties of {@code :root}, where those of the dark theme override those of the light theme.
     */
    private static Map<String, int[]> colours(Path page, String theme) throws IOException {
        String css = Files.readString(page);
        Matcher roots = Pattern.compile(":root \\{([^}]*)}").matcher(css);
        Map<String, int[]> colours = new HashMap<>();
        for (int i = 0; i < (theme.equals("dark") ? 2 : 1); i++) {
            assertThat(roots.find()).as("theme " + i + " of " + page).isTrue();
            Matcher each = Pattern.compile("--([a-z0-9-]+): *#([0-9a-f]{3,8});").matcher(roots.group(1));
            while (each.find()) {
                colours.put(each.group(1), rgba(each.group(2)));
            }
        }
        return colours;
    }

    private static int[] rgba(String hex) {
        String all = hex.length() < 6 ? hex.replaceAll("(.)", "$1$1") : hex;
        String full = all.length() == 6 ? all + "ff" : all;
        return IntStream.range(0, 4)
                .map(i -> Integer.parseInt(full.substring(2 * i, 2 * i + 2), 16))
                .toArray();
    }
}
