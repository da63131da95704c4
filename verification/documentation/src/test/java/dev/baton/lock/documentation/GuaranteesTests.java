package dev.baton.lock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tests that each promise of {@code docs/guarantees.md} links to a test that exists: the label of the link is defined,
 * its file is there, and its title is a method of that file. From the first promise to the end of the page, each table
 * links its rows to tests.
 */
class GuaranteesTests {

    private static final Path PAGE = Pages.ROOT.resolve("docs/guarantees.md");

    private static final Pattern USE = Pattern.compile("\\[(?:test|model)]\\[(t\\d+)]");

    /** The title of a link may be on the next line. */
    private static final Pattern DEFINITION = Pattern.compile("(?m)^\\[(t\\d+)]: (\\S+)(?:\\s+\"(\\w+)\")?$");

    private record Target(String file, String method) {}

    @Test
    void everyLinkLeadsToATest() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Map.Entry<String, Target> definition : definitions().entrySet()) {
            Target target = definition.getValue();
            Path file = PAGE.resolveSibling(target.file());
            boolean model = target.file().endsWith(".tla");
            if (!Files.exists(file) || !model && !Files.readString(file).contains("void " + target.method() + "(")) {
                dead.add(definition.getKey() + ": " + target);
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void everyLinkIsDefinedAndUsed() throws IOException {
        Set<String> used = new LinkedHashSet<>();
        Matcher use = USE.matcher(Files.readString(PAGE));
        while (use.find()) {
            used.add(use.group(1));
        }
        assertThat(definitions().keySet()).hasSizeGreaterThan(100).containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void everyPromiseHasATest() throws IOException {
        List<String> without = new ArrayList<>();
        boolean shown = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.endsWith(" Shown by |")) {
                shown = true;
            } else if (!line.startsWith("|")) {
                shown = false;
            } else if (shown && !line.startsWith("|---") && !USE.matcher(line).find()) {
                without.add(line);
            }
        }
        assertThat(without).isEmpty();
    }

    /** The table before the promises explains the faults. */
    @Test
    void everyTableFromThePromisesOnLinksToTests() throws IOException {
        List<String> lines = Files.readAllLines(PAGE);
        int promises = lines.indexOf("## Promises");
        assertThat(promises).isNotNegative();
        List<String> without = new ArrayList<>();
        int tables = 0;
        for (int i = promises + 1; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("|") && !lines.get(i - 1).startsWith("|")) {
                tables++;
                if (!line.endsWith("| Shown by |")) {
                    without.add((i + 1) + ": " + line);
                }
            }
        }
        assertThat(without).isEmpty();
        assertThat(tables).isGreaterThan(20);
    }

    private static Map<String, Target> definitions() throws IOException {
        Map<String, Target> definitions = new TreeMap<>();
        Matcher definition = DEFINITION.matcher(Files.readString(PAGE));
        while (definition.find()) {
            String method = definition.group(3);
            definitions.put(definition.group(1), new Target(definition.group(2), method == null ? "" : method));
        }
        return definitions;
    }
}
