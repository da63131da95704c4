package dev.baton.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the documentation names the actor of a sentence: the caller, the holder, the waiter, the process; the rule
 * {@code english} of {@code verification/checkstyle.xml} refuses the same words in main code.
 */
class PlainEnglishTests {

    private static final Path ROOT = Path.of("..", "..");

    private static final Pattern WORDS =
            Pattern.compile("\\b(who|whoever|nobody|somebody|anybody|everybody|anew)\\b", Pattern.CASE_INSENSITIVE);

    /** Code between backticks, which may contain any words. */
    private static final Pattern CODE = Pattern.compile("`[^`]*`");

    @ParameterizedTest
    @MethodSource("pages")
    void pageNamesTheActor(Path page) throws IOException {
        assertThat(violations(Files.readAllLines(page))).isEmpty();
    }

    @Test
    void pagesAreTheDocumentation() throws IOException {
        assertThat(pages().map(page -> ROOT.relativize(page).toString().replace('\\', '/')))
                .contains("README.md", "CONTRIBUTING.md", "docs/guarantees.md", "docs/spec/Grant.tla")
                .noneMatch(page -> page.contains("decisions"));
    }

    @Test
    void wordsAreFoundInAnyCaseAndAsWholeWordsOnly() {
        assertThat(violations(List.of("Who waits", "the whole `who`", "taken\tANEW, somebody's", "no body renews it")))
                .containsExactly("1: Who", "3: ANEW", "3: somebody");
    }

    @Test
    void checkstyleRefusesTheSameWords() throws IOException {
        assertThat(Files.readString(ROOT.resolve("verification/checkstyle.xml")))
                .contains("value=\"" + WORDS.pattern() + "\"");
    }

    private static Stream<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        for (String folder : List.of("docs", "docs/spec")) {
            try (Stream<Path> docs = Files.list(ROOT.resolve(folder))) {
                docs.filter(page -> page.toString().matches(".*\\.(md|tla|cfg|txt)"))
                        .sorted()
                        .forEach(pages::add);
            }
        }
        return pages.stream();
    }

    private static List<String> violations(List<String> lines) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher word = WORDS.matcher(CODE.matcher(lines.get(i)).replaceAll(""));
            while (word.find()) {
                found.add((i + 1) + ": " + word.group());
            }
        }
        return found;
    }
}
