package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/** Tests that {@code docs/configuration.md} and the example of the README match the metadata. */
class ConfigurationReferenceTests {

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
    void exampleOfTheReadmeHasEveryDefault() throws IOException {
        String readme = Files.readString(Path.of("..", "README.md"));
        String yaml = readme.substring(readme.indexOf("```yaml\nbaton:"));
        Map<String, Object> expected = new TreeMap<>();
        properties.stream()
                .filter(property -> property.containsKey("defaultValue"))
                .forEach(property ->
                        expected.put(property.get("name").toString().substring("baton.".length()), text(property)));
        Map<String, Object> shown = new TreeMap<>();
        Resource example = new ByteArrayResource(
                yaml.substring("```yaml\n".length(), yaml.indexOf("\n```")).getBytes(StandardCharsets.UTF_8));
        EnumerablePropertySource<?> source = (EnumerablePropertySource<?>)
                new YamlPropertySourceLoader().load("README", example).get(0);
        for (String name : source.getPropertyNames()) {
            String known = name.substring("baton.".length());
            String value = String.valueOf(source.getProperty(name));
            if (!known.startsWith("scopes.") && !value.isEmpty()) {
                shown.put(known, value);
            }
        }
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
