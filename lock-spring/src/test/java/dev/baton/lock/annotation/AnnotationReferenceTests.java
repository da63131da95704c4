package dev.baton.lock.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that {@code docs/annotation.md} lists all attributes, with their values. */
class AnnotationReferenceTests {

    private static final Pattern ROW = Pattern.compile("\\| (`[^|]+) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final List<Matcher> rows = rows();

    @Test
    void everyAttributeHasARowAndNoOther() {
        assertThat(rows.stream().flatMap(row -> code(row.group(1))))
                .containsExactlyInAnyOrder(Arrays.stream(DistributedLock.class.getDeclaredMethods())
                        .map(Method::getName)
                        .toArray(String[]::new));
    }

    @Test
    void everyRowHasTheValuesOfTheAttribute() throws NoSuchMethodException {
        for (Matcher row : rows) {
            for (String name : code(row.group(1)).toList()) {
                Class<?> type = DistributedLock.class.getDeclaredMethod(name).getReturnType();
                Class<?> element = type.isArray() ? type.getComponentType() : type;
                assertThat(row.group(2)).as(name).contains(values(element, name));
            }
        }
    }

    /** The number of code words in the cell must match, so that a constant which does not exist is found. */
    @Test
    void cellsOfEnumsListExactlyTheirConstants() throws NoSuchMethodException {
        for (Matcher row : rows) {
            String name = code(row.group(1)).findFirst().orElseThrow();
            Class<?> type = DistributedLock.class.getDeclaredMethod(name).getReturnType();
            if (type.isArray() && type.getComponentType().isEnum()) {
                assertThat(code(row.group(2)))
                        .hasSameSizeAs(type.getComponentType().getEnumConstants());
            }
        }
    }

    private static List<String> values(Class<?> type, String name) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant -> "`" + constant + "`")
                    .toList();
        }
        if (type == boolean.class) {
            return List.of("`true`", "`false`");
        }
        if (type == long.class) {
            return List.of("seconds");
        }
        if (type == int.class) {
            return List.of("number");
        }
        return switch (name) {
            case "key", "condition", "owner" -> List.of("SpEL");
            case "onTimeout" -> List.of("SpEL", "`${...}`");
            default -> List.of("`${...}`");
        };
    }

    private static Stream<String> code(String cell) {
        return CODE.matcher(cell).results().map(result -> result.group(1));
    }

    private static List<Matcher> rows() {
        Path file = Path.of("..", "docs", "annotation.md");
        try {
            String text = Files.readString(file);
            String section = text.substring(text.indexOf("## Attributes"), text.indexOf("## Expressions"));
            return section.lines().map(ROW::matcher).filter(Matcher::matches).toList();
        } catch (IOException ex) {
            throw new UncheckedIOException(file.toString(), ex);
        }
    }
}
