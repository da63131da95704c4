package dev.baton.lock.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One line of {@code docs/spec/runs.txt}: a model, the constants in which it differs from the configuration file of the
 * model, and the result that TLC has to find.
 *
 * @param name the name of the run, unique
 * @param quick whether the run belongs to the ordinary build
 * @param module the name of the model
 * @param constants the constants that differ, by name
 * @param properties what TLC checks, or an empty list for the invariants of the configuration file
 * @param expected {@code ok} and the number of distinct states, or the name of the violated property
 */
record Run(
        String name,
        boolean quick,
        String module,
        Map<String, String> constants,
        List<String> properties,
        String expected) {

    /** The models and their configuration files. */
    static final Path MODELS = Path.of("..", "..", "docs", "spec");

    /** Properties of behaviours; all others are invariants. */
    private static final List<String> TEMPORAL =
            List.of("NoLostWakeUp", "NoLostWaiter", "EventuallyClean", "NoStarvation");

    private static final Pattern LINE = Pattern.compile("(\\S+) +(quick|full) +(\\w+) *\\|(.*)\\|(.*)\\|(.*)");

    /** A constant in a configuration file: its indent, its name, its value. */
    private static final Pattern CONSTANT = Pattern.compile("( +)(\\w+) (?:=|<-) (.*)");

    static List<Run> all() throws IOException {
        List<Run> runs = new ArrayList<>();
        for (String line : Files.readAllLines(MODELS.resolve("runs.txt"))) {
            if (!line.isBlank() && !line.startsWith("#")) {
                runs.add(of(line));
            }
        }
        return runs;
    }

    static Run of(String line) {
        Matcher parts = LINE.matcher(line);
        assertThat(parts.matches()).as("a run: %s", line).isTrue();
        Map<String, String> constants = new LinkedHashMap<>();
        for (String constant : words(parts.group(4))) {
            String[] pair = constant.split("=", 2);
            assertThat(pair).as("NAME=VALUE: %s", constant).hasSize(2);
            constants.put(pair[0], pair[1]);
        }
        return new Run(
                parts.group(1),
                parts.group(2).equals("quick"),
                parts.group(3),
                constants,
                words(parts.group(5)),
                parts.group(6).strip().replace(",", ""));
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.strip().split(" +"))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** Returns the lines of the configuration file for this run, made from that of the model. */
    List<String> configuration() throws IOException {
        Map<String, String> left = new LinkedHashMap<>(constants);
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(MODELS.resolve(module + ".cfg"))) {
            Matcher constant = CONSTANT.matcher(line);
            if (constant.matches() && left.containsKey(constant.group(2))) {
                String name = constant.group(2);
                lines.add(constant.group(1) + assignment(name, left.remove(name)));
            } else if (properties.isEmpty() || !line.matches("(INVARIANTS|PROPERTIES|SPECIFICATION) .*")) {
                lines.add(line);
            }
        }
        assertThat(left).as("constants that %s.cfg does not have", module).isEmpty();
        addProperties(lines);
        return lines;
    }

    private void addProperties(List<String> lines) {
        if (properties.isEmpty()) {
            return;
        }
        boolean temporal = properties.stream().anyMatch(TEMPORAL::contains);
        lines.add("SPECIFICATION " + (temporal ? "FairSpec" : "Spec"));
        for (String property : properties) {
            lines.add((TEMPORAL.contains(property) ? "PROPERTY " : "INVARIANT ") + property);
        }
    }

    /** A value that names a definition of the model begins with a capital letter, as no value of TLA+ but these two does. */
    private static String assignment(String name, String value) {
        boolean definition = value.matches("[A-Z]\\w+") && !value.equals("TRUE") && !value.equals("FALSE");
        return name + (definition ? " <- " : " = ") + value;
    }

    @Override
    public String toString() {
        return name;
    }
}
