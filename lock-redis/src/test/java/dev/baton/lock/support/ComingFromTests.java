package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/coming-from.md: every test that it names exists. */
class ComingFromTests {

    private static final Path ROOT = Path.of("..");
    private static final Pattern CLASS = Pattern.compile("(?m)^Tests: `(\\w+)`");
    private static final Pattern NAME = Pattern.compile("`(?:(\\w+)\\.)?(\\w+)`");
    private static final String WITH_TESTS = "| there | here | test |";

    /** A test that the page names. */
    record Named(String type, String method) {}

    @Test
    void everyNamedTestExists() throws IOException {
        List<Named> named = named();
        assertThat(named).hasSizeGreaterThan(40);
        assertThat(named)
                .allSatisfy(test -> assertThat(source(test.type()))
                        .as(test.toString())
                        .containsPattern("@Test\\R(?:    @.*\\R)*    void " + test.method() + "\\("));
    }

    @Test
    void everyRowOfASeedNamesATest() throws IOException {
        assertThat(seeds().flatMap(ComingFromTests::rows))
                .hasSizeGreaterThan(40)
                .allSatisfy(
                        row -> assertThat(NAME.matcher(lastOfThreeCells(row)).results())
                                .as(row)
                                .isNotEmpty());
    }

    @Test
    void everySeedHasItsClass() throws IOException {
        assertThat(CLASS.matcher(page()).results().map(found -> found.group(1)))
                .containsExactly(
                        "CloudMutexTests",
                        "KeyspaceMutexTests",
                        "UncomplicatedMutexTests",
                        "EmMutexTests",
                        "SpinLockTests");
    }

    private static List<Named> named() throws IOException {
        List<Named> tests = new ArrayList<>();
        for (String section : seeds().toList()) {
            assertThat(section).contains(WITH_TESTS);
            String type =
                    CLASS.matcher(section).results().findFirst().orElseThrow().group(1);
            rows(section)
                    .map(ComingFromTests::lastOfThreeCells)
                    .flatMap(cell -> NAME.matcher(cell).results())
                    .forEach(name -> tests.add(new Named(name.group(1) == null ? type : name.group(1), name.group(2))));
        }
        return tests;
    }

    private static Stream<String> seeds() throws IOException {
        return Stream.of(page().split("(?m)^## "))
                .filter(section -> CLASS.matcher(section).find());
    }

    private static Stream<String> rows(String section) {
        return section.lines().filter(line -> line.startsWith("| ") && !line.startsWith("| there"));
    }

    /** Empty: the row has no test. */
    private static String lastOfThreeCells(String line) {
        String[] cells = line.replace("\\|", "").split("\\|");
        return cells.length > 3 ? cells[3] : "";
    }

    private static String source(String type) throws IOException {
        for (String sources : List.of(
                "lock-redis/src/test",
                "lock-spring/src/test",
                "lock-core/src/test",
                "lock-test/src/test",
                "lock-test/src/testFixtures",
                "lock-autoconfigure/src/test")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(sources + "/java"))) {
                Optional<Path> file =
                        files.filter(path -> path.endsWith(type + ".java")).findFirst();
                if (file.isPresent()) {
                    return Files.readString(file.get());
                }
            }
        }
        throw new AssertionError("there is no " + type);
    }

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/coming-from.md"));
    }
}
