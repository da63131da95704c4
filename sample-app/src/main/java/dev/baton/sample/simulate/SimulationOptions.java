package dev.baton.sample.simulate;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.springframework.boot.ApplicationArguments;

/**
 * The options of a simulation.
 *
 * @param processes how many processes contend, each a Java virtual machine of its own
 * @param threads how many threads contend in each of them
 * @param duration how long they ask for the server again and again
 * @param hold how long each keeps the server; with the lock it may be zero
 * @param locked false: without the lock
 */
record SimulationOptions(int processes, int threads, Duration duration, Duration hold, boolean locked) {

    private static final Set<String> NAMES = Set.of(
            "simulate",
            "unprotected",
            "processes",
            "threads",
            "seconds",
            "hold-millis",
            TerminalProgress.OPTION,
            TimelineFile.OPTION,
            Worker.OPTION,
            "debug",
            "trace");

    /**
     * Reads the options; those with a dot in their name are Spring's.
     *
     * @throws IllegalArgumentException if an option is unknown, or not a number in its range
     */
    static SimulationOptions of(ApplicationArguments arguments) {
        for (String name : arguments.getOptionNames()) {
            if (!NAMES.contains(name) && !name.contains(".")) {
                throw new IllegalArgumentException("unknown option --" + name
                        + "; use --processes=4 --threads=4 --seconds=10 --hold-millis=1 --unprotected"
                        + " --timeline=FILE.html --progress=bar");
            }
        }
        boolean locked = !arguments.containsOption("unprotected");
        return new SimulationOptions(
                number(arguments, "processes", 4, 2, 64),
                number(arguments, "threads", 4, 1, 64),
                Duration.ofSeconds(number(arguments, "seconds", 10, 1, 300)),
                Duration.ofMillis(number(arguments, "hold-millis", 1, locked ? 0 : 1, 1000)),
                locked);
    }

    private static int number(ApplicationArguments arguments, String name, int otherwise, int least, int most) {
        List<String> values = arguments.getOptionValues(name);
        if (values == null) {
            return otherwise;
        }
        String text = values.isEmpty() ? "" : values.get(values.size() - 1);
        if (!text.matches("\\d{1,4}") || Integer.parseInt(text) < least || Integer.parseInt(text) > most) {
            throw new IllegalArgumentException("--" + name + "=" + text + " is not a whole number from " + least
                    + " to " + most + "; write --" + name + "=" + otherwise);
        }
        return Integer.parseInt(text);
    }

    /** How long an asker waits at most: twice a round of all of them, and some seconds for a busy machine. */
    Duration waitTime() {
        return hold.multipliedBy(2L * processes * threads).plusSeconds(10);
    }
}
