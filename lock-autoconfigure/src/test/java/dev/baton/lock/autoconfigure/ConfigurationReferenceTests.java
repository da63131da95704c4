package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/configuration.md} and the README's example say what the metadata says. */
class ConfigurationReferenceTests {

    private static final Pattern README_LINE = Pattern.compile("  ([a-z-]+):\\s*([^#\\s]*)\\s+#.*");

    private final List<Map<String, Object>> properties = ConfigurationMetadataTests.properties();

    @Test
    void everyPropertyHasARowWithItsDefaultAndDescription() throws IOException {
        String[] expected = properties.stream()
                .map(property -> "| `" + property.get("name") + "` | " + defaultOf(property) + " | "
                        + property.get("description") + " |")
                .toArray(String[]::new);
        assertThat(rows("configuration.md").filter(row -> !row.contains("<scope>")))
                .containsExactlyInAnyOrder(expected);
    }

    @Test
    void everyPropertyOfAScopeHasARow() throws IOException {
        String[] expected = Arrays.stream(ScopeProperties.class.getRecordComponents())
                .map(component ->
                        "`baton.scopes.<scope>." + ConfigurationMetadataTests.dashed(component.getName()) + "`")
                .toArray(String[]::new);
        assertThat(rows("configuration.md")
                        .filter(row -> row.contains("<scope>"))
                        .map(row -> row.split(" \\| ")[0].substring(2)))
                .containsExactlyInAnyOrder(expected);
    }

    @Test
    void exampleOfTheReadmeHasEveryPropertyWithItsDefault() throws IOException {
        String readme = Files.readString(Path.of("..", "README.md"));
        String yaml = readme.substring(readme.indexOf("```yaml\nbaton:"));
        Map<String, Object> expected = new TreeMap<>();
        properties.forEach(
                property -> expected.put(property.get("name").toString().substring("baton.".length()), text(property)));
        Map<String, Object> shown = new TreeMap<>();
        yaml.substring(0, yaml.indexOf("\n```"))
                .lines()
                .map(README_LINE::matcher)
                .filter(Matcher::matches)
                .forEach(line -> shown.put(line.group(1), line.group(2)));
        assertThat(shown).isEqualTo(expected);
    }

    private static String defaultOf(Map<String, Object> property) {
        return text(property).isEmpty() ? "" : "`" + text(property) + "`";
    }

    private static String text(Map<String, Object> property) {
        Object value = property.get("defaultValue");
        return value == null ? "" : value.toString();
    }

    private static Stream<String> rows(String document) throws IOException {
        return Files.readAllLines(Path.of("..", "docs", document)).stream()
                .filter(line -> line.startsWith("| `baton."))
                .map(line -> line.replace("|  |", "| |").replace("| |", "|  |"));
    }
}
