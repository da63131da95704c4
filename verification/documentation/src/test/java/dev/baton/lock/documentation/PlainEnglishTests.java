package dev.baton.lock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the documentation names the actor of a sentence: the caller, the holder, the waiter, the process; the rule
 * {@code english} of {@code verification/checkstyle.xml} refuses the same words in main code. The pages for users also
 * do without idioms, and begin no sentence with a clause in the place of its subject.
 */
class PlainEnglishTests {

    private static final Pattern WORDS =
            Pattern.compile("\\b(who|whoever|nobody|somebody|anybody|everybody|anew)\\b", Pattern.CASE_INSENSITIVE);

    private static final Pattern IDIOMS = Pattern.compile(
            "\\b(be it|by itself|all the same|stands|is told|are told|goes along with)\\b", Pattern.CASE_INSENSITIVE);

    /** At the beginning of a paragraph or of an item, or after the end of a sentence; a question may begin with it. */
    private static final Pattern BEGINNINGS =
            Pattern.compile("(?:^(?:[-*] |\\d+\\. )?|[.!?:] )(What|Who|Of|Neither)\\b(?![^.!]*\\?)");

    /** Code between backticks, which may contain any words. */
    private static final Pattern CODE = Pattern.compile("`[^`]*`");

    @ParameterizedTest
    @MethodSource("pages")
    void pageNamesTheActor(Path page) throws IOException {
        assertThat(found(WORDS, Files.readAllLines(page))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("pagesForUsers")
    void pageForUsersHasNoIdiom(Path page) throws IOException {
        assertThat(found(IDIOMS, Files.readAllLines(page))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("pagesForUsers")
    void sentenceBeginsWithItsSubject(Path page) throws IOException {
        assertThat(found(BEGINNINGS, paragraphs(Files.readAllLines(page)))).isEmpty();
    }

    @Test
    void pagesAreTheDocumentation() throws IOException {
        assertThat(pages().stream().map(Pages::name))
                .contains(
                        "README.md",
                        "CONTRIBUTING.md",
                        "docs/guarantees.md",
                        "docs/decisions/0005-names.md",
                        "docs/spec/Grant.tla");
    }

    @Test
    void wordsAreFoundInAnyCaseAndAsWholeWordsOnly() {
        assertThat(found(
                        WORDS, List.of("Who waits", "the whole `who`", "taken\tANEW, somebody's", "no body renews it")))
                .containsExactly("1: Who", "3: ANEW", "3: somebody");
        assertThat(found(IDIOMS, List.of("It stands here", "understands `by itself`")))
                .containsExactly("1: stands");
    }

    @Test
    void beginningsAreFoundAlsoAfterALineBreak() {
        assertThat(found(
                        BEGINNINGS,
                        paragraphs(List.of("A lock ends.", "What follows is", "- Of one scope", "", "# Who"))))
                .containsExactly("1: What", "2: Of");
        assertThat(found(BEGINNINGS, paragraphs(List.of("What if Redis is down? It waits.", "| What it means |"))))
                .isEmpty();
    }

    @Test
    void checkstyleRefusesTheSameWords() throws IOException {
        assertThat(Files.readString(Pages.ROOT.resolve("verification/checkstyle.xml")))
                .contains("value=\"" + WORDS.pattern() + "\"");
    }

    static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(Pages.all());
        for (String ending : List.of(".tla", ".cfg", ".txt")) {
            pages.addAll(Pages.in("docs/spec", ending));
        }
        return pages;
    }

    static List<Path> pagesForUsers() throws IOException {
        return Pages.forUsers();
    }

    /** Returns the paragraphs and items of a page, each as one line; without code, headings and tables. */
    private static List<String> paragraphs(List<String> lines) {
        List<String> paragraphs = new ArrayList<>();
        StringBuilder paragraph = new StringBuilder();
        boolean fenced = false;
        for (String line : lines) {
            String text = line.strip();
            boolean fence = text.startsWith("```");
            fenced ^= fence;
            boolean item = text.matches("(?:[-*]|\\d+\\.) .*");
            boolean prose = !fence && !fenced && !text.isEmpty() && !text.startsWith("#") && !text.startsWith("|");
            if (!prose || item) {
                paragraphs.add(paragraph.toString());
                paragraph.setLength(0);
            }
            if (prose) {
                paragraph.append(paragraph.isEmpty() ? "" : " ").append(text);
            }
        }
        paragraphs.add(paragraph.toString());
        paragraphs.removeIf(String::isEmpty);
        return paragraphs;
    }

    private static List<String> found(Pattern pattern, List<String> lines) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher word = pattern.matcher(CODE.matcher(lines.get(i)).replaceAll("`"));
            while (word.find()) {
                found.add((i + 1) + ": " + word.group(1));
            }
        }
        return found;
    }
}
