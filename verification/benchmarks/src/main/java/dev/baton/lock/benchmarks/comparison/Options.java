package dev.baton.lock.benchmarks.comparison;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the command line says.
 *
 * @param quick whether it is only to be seen that everything runs
 * @param scenarios which
 * @param contestants the contestants that take part
 * @param folder where the page and the pictures go
 */
record Options(boolean quick, Set<Integer> scenarios, Set<Contestant> contestants, Path folder) {

    /**
     * Of {@code --quick}, {@code --scenarios=1,4}, {@code --contenders=BARE,BATON} and {@code --results=FOLDER}, in any order.
     *
     * @throws IllegalArgumentException if there is anything else
     */
    static Options parse(Collection<Integer> known, String... args) {
        boolean quick = false;
        Set<Integer> scenarios = new TreeSet<>(known);
        Set<Contestant> contestants = EnumSet.allOf(Contestant.class);
        Path folder = Path.of("results");
        for (String arg : args) {
            if (arg.equals("--quick")) {
                quick = true;
            } else if (arg.startsWith("--scenarios=")) {
                scenarios = scenarios(known, arg.substring("--scenarios=".length()));
            } else if (arg.startsWith("--contenders=")) {
                contestants = contestants(arg.substring("--contenders=".length()));
            } else if (arg.startsWith("--results=")) {
                folder = Path.of(arg.substring("--results=".length()));
            } else {
                throw new IllegalArgumentException("'" + arg
                        + "' is none of --quick, --scenarios=1,4, --contenders=BARE,BATON and --results=FOLDER");
            }
        }
        return new Options(quick, scenarios, contestants, folder);
    }

    private static Set<Integer> scenarios(Collection<Integer> known, String numbers) {
        Set<String> possible = known.stream().map(String::valueOf).collect(Collectors.toSet());
        for (String number : numbers.split(",")) {
            if (!possible.contains(number)) {
                throw new IllegalArgumentException("--scenarios names '" + number + "'; there are " + known
                        + " (7 is profile benchmark, 9 is part of all)");
            }
        }
        return Arrays.stream(numbers.split(",")).map(Integer::valueOf).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<Contestant> contestants(String names) {
        List<String> wanted = Arrays.asList(names.split(","));
        List<String> possible =
                Arrays.stream(Contestant.values()).map(Contestant::name).toList();
        for (String name : wanted) {
            if (!possible.contains(name)) {
                throw new IllegalArgumentException("--contenders names '" + name + "'; there are " + possible);
            }
        }
        return wanted.stream()
                .map(Contestant::valueOf)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Contestant.class)));
    }
}
