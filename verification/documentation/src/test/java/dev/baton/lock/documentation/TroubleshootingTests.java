package dev.baton.lock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests that the messages of {@code docs/troubleshooting.md} are those of the code: the words of each message between
 * its values are in the string literals of one source file.
 */
class TroubleshootingTests {

    /** Words of Redis, of its clients and of Spring, which no literal of Baton has. */
    private static final Set<String> OF_OTHERS = Set.of(
            "Connection refused",
            "Unable to connect",
            "ERR max number of clients reached",
            "ERR AUTH",
            "protected mode",
            "ERR DB index is out of range",
            "ERR unknown command 'EVALSHA'",
            "Unknown Redis command called from script",
            "ERR SELECT is not allowed in cluster mode",
            "Multiple Spring Data modules found, entering strict repository configuration mode");

    /** Cells that describe an answer, and quote no message. */
    private static final Set<String> DESCRIPTIONS = Set.of(
            "any other error of Redis",
            "`DELETE /actuator/locks/…` returns 405",
            "names are `account.******`",
            "`problem` in `GET /actuator/locks`");

    private static final List<Literals> SOURCES = new ArrayList<>();

    private static List<String> quotes;

    @BeforeAll
    static void read() throws IOException {
        quotes = Quotes.in(Files.readAllLines(Pages.ROOT.resolve("docs/troubleshooting.md")));
        try (Stream<Path> modules = Files.list(Pages.ROOT)) {
            for (Path module : modules.filter(TroubleshootingTests::isLibrary).toList()) {
                readSources(module.resolve("src/main/java"));
            }
        }
    }

    private static boolean isLibrary(Path module) {
        return module.getFileName().toString().startsWith("lock-")
                && Files.isDirectory(module.resolve("src/main/java"));
    }

    private static void readSources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                SOURCES.add(Literals.of(Files.readString(file)));
            }
        }
    }

    @Test
    void quotedMessagesAreThoseOfTheCode() {
        assertThat(quotes).hasSizeGreaterThan(150);
        assertThat(quotes.stream()
                        .filter(quote -> !DESCRIPTIONS.contains(quote))
                        .flatMap(Quotes::messages)
                        .filter(message -> !isMade(message)))
                .as("quotes that no source file makes; correct the page, or list the words of others")
                .isEmpty();
    }

    @Test
    void exceptionsAreOnThePageAndNotInTheCode() {
        List<String> fragments = quotes.stream()
                .flatMap(Quotes::messages)
                .flatMap(message -> Quotes.fragments(message).stream())
                .toList();
        assertThat(fragments).containsAll(OF_OTHERS);
        assertThat(OF_OTHERS).noneMatch(words -> SOURCES.stream().anyMatch(source -> source.make(words)));
        assertThat(quotes).containsAll(DESCRIPTIONS);
    }

    @Test
    void headingsTablesAndListsQuote() {
        assertThat(Quotes.in(List.of(
                        "## Start",
                        "### Topic",
                        "| message | remedy |",
                        "|---|---|",
                        "| … is a; b | Do c. |",
                        "",
                        "| other | |",
                        "| d | |",
                        "**`The e 'baton.…' is f`.** G.",
                        "## Exceptions",
                        "### `SomeException`",
                        "### `OtherException`: h … i",
                        "- `j k`: l.",
                        "- `m`: n.")))
                .containsExactly("… is a; b", "The e 'baton.…' is f", "h … i", "j k");
    }

    @Test
    void messageIsItsWordsBetweenValues() {
        assertThat(Quotes.fragments("Lock '…' not granted within 10 ms (held by …)"))
                .containsExactly("Lock '", "' not granted within", "ms", "held by");
        assertThat(Quotes.fragments("a (reactive) transaction of com.acme.Orders.close(..)"))
                .containsExactly("transaction of");
    }

    @Test
    void literalsAreConcatenatedOverLines() {
        Literals source = Literals.of("""
                // "a comment is no literal"
                String text = "could not be"
                        + " asked (" + cause + "): check '" + '"' + "'";
                log.warn("Set {} of {}", "the flag", redis);
                throw new Exception("the class is " + (sealed ? "sealed" : "final"));
                """);
        assertThat(List.of(
                        "could not be asked",
                        "check '",
                        "Set the flag of",
                        "the class is sealed",
                        "the class is final"))
                .allMatch(source::make);
        assertThat(List.of("a comment", "could not be told", "asked check", "the class is sealed or", "Set of another"))
                .noneMatch(source::make);
    }

    private static boolean isMade(String message) {
        List<String> words = Quotes.fragments(message).stream()
                .filter(fragment -> !OF_OTHERS.contains(fragment))
                .toList();
        return SOURCES.stream().anyMatch(source -> words.stream().allMatch(source::make));
    }
}
