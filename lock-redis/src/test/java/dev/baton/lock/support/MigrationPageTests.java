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

/** Tests that each numbered row in the tables of docs/migration.md names its tests, and that these tests exist. */
class MigrationPageTests {

    private static final Path ROOT = Path.of("..");
    private static final Pattern CLASS = Pattern.compile("(?m)^Tests: `(\\w+)`");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\|");
    /** The tests of a row: {@code - 3: `nameOfATest`, `OtherTests.nameOfATest`}. */
    private static final Pattern TESTS = Pattern.compile("(?m)^- (\\d+): (`\\w.*`)$");

    private static final Pattern NAME = Pattern.compile("`(?:(\\w+)\\.)?(\\w+)`");

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
    void everyRowNamesItsTests() throws IOException {
        assertThat(sections()).allSatisfy(section -> {
            List<String> rows = numbers(ROW, section);
            assertThat(rows).as(section).isNotEmpty().doesNotHaveDuplicates();
            assertThat(numbers(TESTS, section)).as(section).containsExactlyElementsOf(rows);
        });
    }

    @Test
    void everySectionHasItsClass() throws IOException {
        assertThat(CLASS.matcher(page()).results().map(found -> found.group(1)))
                .containsExactly(
                        "ReadWriteLockContractTests",
                        "CloudMutexTests",
                        "KeyspaceMutexTests",
                        "UncomplicatedMutexTests",
                        "EmMutexTests",
                        "SpinLockTests");
    }

    private static List<Named> named() throws IOException {
        List<Named> tests = new ArrayList<>();
        for (String section : sections()) {
            String type =
                    CLASS.matcher(section).results().findFirst().orElseThrow().group(1);
            TESTS.matcher(section)
                    .results()
                    .flatMap(row -> NAME.matcher(row.group(2)).results())
                    .forEach(name -> tests.add(new Named(name.group(1) == null ? type : name.group(1), name.group(2))));
        }
        return tests;
    }

    private static List<String> sections() throws IOException {
        return Stream.of(page().split("(?m)^###? "))
                .filter(section -> CLASS.matcher(section).find())
                .toList();
    }

    private static List<String> numbers(Pattern pattern, String section) {
        return pattern.matcher(section).results().map(found -> found.group(1)).toList();
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
        return Files.readString(ROOT.resolve("docs/migration.md"));
    }
}
