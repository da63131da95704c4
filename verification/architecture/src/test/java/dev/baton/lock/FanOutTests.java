package dev.baton.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that a class of Baton knows at most 15 other classes of Baton, or the listed number, which may only decrease.
 */
class FanOutTests {

    private static final int MOST = 15;

    /**
     * Classes that assemble others, with the number of classes that each knows. A type counts once with its nested
     * types. Values do not count: records, enums, exceptions, and final classes with an {@code equals} of their own.
     * {@code verification/structure.sh} prints the same numbers.
     */
    private static final Map<String, Integer> EXCEPTIONS = Map.of(
            "dev.baton.lock.engine.LockEngine", 18,
            "dev.baton.lock.support.LockTemplate", 22);

    private static final Pattern ARROW =
            Pattern.compile("\\s+(dev\\.baton\\.lock\\.[\\w.$]+)\\s+-> (dev\\.baton\\.lock\\.[\\w.$]+)\\s.*");

    @Test
    void classesKnowAtMostTheirLimitOfOthers() throws Exception {
        Map<String, Integer> more = new TreeMap<>();
        knownBy().forEach((from, to) -> {
            if (to.size() > MOST) {
                more.put(from, to.size());
            }
        });
        assertThat(more).isEqualTo(new TreeMap<>(EXCEPTIONS));
    }

    private static Map<String, Set<String>> knownBy() throws Exception {
        StringWriter out = new StringWriter();
        StringWriter errors = new StringWriter();
        int ended = ToolProvider.findFirst("jdeps")
                .orElseThrow()
                .run(
                        new PrintWriter(out),
                        new PrintWriter(errors),
                        Stream.concat(
                                        Stream.of("-v", "--ignore-missing-deps", "--multi-release", "base"),
                                        Libraries.LOCKS.stream().map(Path::toString))
                                .toArray(String[]::new));
        assertThat(ended).as("jdeps: %s", errors).isZero();
        Map<String, Set<String>> known = new HashMap<>();
        for (String line : out.toString().lines().toList()) {
            Matcher arrow = ARROW.matcher(line);
            if (arrow.matches()) {
                String from = top(arrow.group(1));
                String to = top(arrow.group(2));
                if (!from.equals(to) && !isValue(from) && !isValue(to)) {
                    known.computeIfAbsent(from, same -> new TreeSet<>()).add(to);
                }
            }
        }
        assertThat(known).as("classes that know another").hasSizeGreaterThan(100);
        return known;
    }

    private static String top(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private static boolean isValue(String name) throws ClassNotFoundException {
        Class<?> type = Class.forName(name, false, FanOutTests.class.getClassLoader());
        return type.isRecord() || type.isEnum() || Throwable.class.isAssignableFrom(type) || hasOwnEquals(type);
    }

    private static boolean hasOwnEquals(Class<?> type) {
        try {
            return Modifier.isFinal(type.getModifiers())
                    && Arrays.stream(type.getDeclaredMethods())
                            .anyMatch(method -> method.getName().equals("equals"));
        } catch (NoClassDefFoundError ex) {
            // what a method returns or accepts is an optional dependency
            return false;
        }
    }
}
