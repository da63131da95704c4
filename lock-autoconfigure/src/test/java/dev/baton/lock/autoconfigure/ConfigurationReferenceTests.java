package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

/** Tests that {@code docs/configuration.md} matches the metadata: the reference, and the example of all properties. */
class ConfigurationReferenceTests {

    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    private static final String EXAMPLE = "```yaml\nbaton:\n  enabled:";

    private final List<Map<String, Object>> properties = ConfigurationMetadataTests.properties();

    @Test
    void everyPropertyHasAnEntryWithItsDefaultAndDescription() throws IOException {
        String[] expected = properties.stream()
                .map(property ->
                        "- `" + property.get("name") + "`" + defaultOf(property) + ": " + property.get("description"))
                .toArray(String[]::new);
        assertThat(entries().filter(entry -> !entry.contains("<scope>"))).containsExactlyInAnyOrder(expected);
    }

    @Test
    void everyPropertyOfAScopeHasAnEntry() throws IOException {
        String[] expected = Arrays.stream(ScopeProperties.class.getRecordComponents())
                .map(component ->
                        "- `baton.scopes.<scope>." + ConfigurationMetadataTests.dashed(component.getName()) + "`")
                .toArray(String[]::new);
        assertThat(entries().filter(entry -> entry.contains("<scope>")).map(entry -> entry.split(": ")[0]))
                .containsExactlyInAnyOrder(expected);
    }

    /** A property without a default is shown without a value. The example of one scope stands for all scopes. */
    @Test
    void exampleHasEveryPropertyWithItsDefault() throws IOException {
        String page = Files.readString(PAGE);
        String yaml = page.substring(page.indexOf(EXAMPLE));
        Map<String, Object> expected = new TreeMap<>();
        properties.forEach(
                property -> expected.put(property.get("name").toString().substring("baton.".length()), text(property)));
        Map<String, Object> shown = new TreeMap<>();
        Resource example = new ByteArrayResource(
                yaml.substring("```yaml\n".length(), yaml.indexOf("\n```")).getBytes(StandardCharsets.UTF_8));
        EnumerablePropertySource<?> source = (EnumerablePropertySource<?>)
                new YamlPropertySourceLoader().load("example", example).get(0);
        for (String name : source.getPropertyNames()) {
            String known = name.substring("baton.".length());
            if (known.startsWith("scopes.")) {
                shown.put("scopes", "");
            } else {
                shown.put(known, String.valueOf(source.getProperty(name)));
            }
        }
        assertThat(shown).isEqualTo(expected);
    }

    private static String defaultOf(Map<String, Object> property) {
        return text(property).isEmpty() ? "" : " (`" + text(property) + "`)";
    }

    private static String text(Map<String, Object> property) {
        Object value = property.get("defaultValue");
        return value == null ? "" : value.toString();
    }

    /** Returns the entries of the reference, each as one line. */
    private static Stream<String> entries() throws IOException {
        List<String> entries = new ArrayList<>();
        boolean open = false;
        for (String line : Files.readAllLines(PAGE)) {
            boolean continued = open && line.startsWith("  ");
            open = continued || line.startsWith("- `baton.");
            if (continued) {
                entries.add(entries.remove(entries.size() - 1) + " " + line.strip());
            } else if (open) {
                entries.add(line);
            }
        }
        return entries.stream();
    }
}
