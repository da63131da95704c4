package dev.baton.sample.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the colours of the processes in the picture of a run are distinct in both themes, with normal and with
 * dichromatic vision (matrices of Machado, Oliveira and Fernandes, 2009, compared in CIELAB).
 */
class TimelineColoursTests {

    /** Adjacent colours differ at a glance from about 10, and on close inspection from 2.3. */
    private static final double APART = 15;

    private static final double[][] ALL_CONES = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    private static final double[][] PROTANOPIA = {
        {0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}
    };
    private static final double[][] DEUTERANOPIA = {
        {0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}
    };
    private static final double[][] TRITANOPIA = {
        {1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}
    };
    private static final double[][] TO_XYZ = {
        {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}
    };
    private static final double[] WHITE = {0.95047, 1, 1.08883};

    /** A theme with a kind of vision. */
    static final class Vision {

        final String theme;
        final String eyes;
        final double[][] matrix;

        Vision(String theme, String eyes, double[][] matrix) {
            this.theme = theme;
            this.eyes = eyes;
            this.matrix = matrix;
        }

        @Override
        public String toString() {
            return theme + ", " + eyes;
        }
    }

    static Stream<Vision> visions() {
        return Stream.of("light", "dark")
                .flatMap(theme -> Stream.of(
                        new Vision(theme, "all cones", ALL_CONES),
                        new Vision(theme, "protanopia", PROTANOPIA),
                        new Vision(theme, "deuteranopia", DEUTERANOPIA),
                        new Vision(theme, "tritanopia", TRITANOPIA)));
    }

    @ParameterizedTest
    @MethodSource("visions")
    void processesDifferFromEachOtherAndFromTheirBackground(Vision vision) {
        Map<String, double[]> colours = colours(vision.theme);
        List<String> processes =
                IntStream.range(0, 6).mapToObj(process -> "c" + process).toList();
        assertThat(colours).containsKeys(processes.toArray(String[]::new)).doesNotContainKey("c6");
        for (String one : processes) {
            Stream.concat(processes.stream().filter(other -> other.compareTo(one) > 0), Stream.of("paper", "ground"))
                    .forEach(other -> assertThat(distance(colours.get(one), colours.get(other), vision.matrix))
                            .as(one + " beside " + other)
                            .isGreaterThanOrEqualTo(APART));
        }
    }

    @Test
    void confusedColoursAreClose() {
        double[] red = linear("c00000");
        double[] green = linear("5f5f00");
        assertThat(distance(red, green, ALL_CONES)).isGreaterThan(60);
        assertThat(distance(red, green, DEUTERANOPIA)).isLessThan(20);
        assertThat(distance(linear("000"), linear("fff"), ALL_CONES)).isBetween(99.9, 100.1);
    }

    /** Returns the custom properties, where those of the dark theme override those of the light theme. */
    private static Map<String, double[]> colours(String theme) {
        SvgText svg = new SvgText();
        svg.open(1, 1, "");
        Matcher blocks = Pattern.compile("\\.baton-timeline \\{([^}]*)}").matcher(svg.close());
        Map<String, double[]> colours = new HashMap<>();
        for (int i = 0; i < (theme.equals("dark") ? 2 : 1); i++) {
            assertThat(blocks.find()).as("theme " + i).isTrue();
            Matcher each = Pattern.compile("--([a-z0-9]+): #([0-9a-f]{3,6});").matcher(blocks.group(1));
            while (each.find()) {
                colours.put(each.group(1), linear(each.group(2)));
            }
        }
        return colours;
    }

    private static double[] linear(String hex) {
        String all = hex.length() == 3 ? hex.replaceAll("(.)", "$1$1") : hex;
        return IntStream.range(0, 3)
                .mapToDouble(i -> Integer.parseInt(all.substring(2 * i, 2 * i + 2), 16) / 255.0)
                .map(value -> value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4))
                .toArray();
    }

    private static double distance(double[] one, double[] other, double[][] eyes) {
        double[] a = lab(seen(eyes, one));
        double[] b = lab(seen(eyes, other));
        return Math.sqrt(IntStream.range(0, 3)
                .mapToDouble(i -> (a[i] - b[i]) * (a[i] - b[i]))
                .sum());
    }

    private static double[] seen(double[][] eyes, double[] colour) {
        return DoubleStream.of(times(eyes, colour))
                .map(value -> Math.min(1, Math.max(0, value)))
                .toArray();
    }

    private static double[] lab(double[] seen) {
        double[] xyz = times(TO_XYZ, seen);
        double[] f = IntStream.range(0, 3)
                .mapToDouble(i -> Math.max(0, xyz[i]) / WHITE[i])
                .map(t -> t > 216.0 / 24389 ? Math.cbrt(t) : (24389.0 / 27 * t + 16) / 116)
                .toArray();
        return new double[] {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
    }

    private static double[] times(double[][] matrix, double[] vector) {
        return Stream.of(matrix)
                .mapToDouble(row -> row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2])
                .toArray();
    }
}
