package dev.baton.sample.members;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;

/** {@code --fleet=3}: three instances on one Redis. */
public final class FleetOption {

    private static final String NAME = "fleet";
    private static final int MOST = 8;

    private FleetOption() {}

    /**
     * Puts the setting in the place of the option; without the option, the arguments are returned as they are.
     *
     * @throws IllegalArgumentException if it is no number from 2 to 8
     */
    public static String[] replaced(String... args) {
        ApplicationArguments arguments = new DefaultApplicationArguments(args);
        List<String> values = arguments.getOptionValues(NAME);
        if (values == null) {
            return args;
        }
        String text = String.join(",", values);
        if (!text.matches("[2-" + MOST + "]")) {
            throw new IllegalArgumentException(
                    "--fleet=" + text + " is not a whole number from 2 to " + MOST + "; write --fleet=3");
        }
        return Stream.concat(
                        Arrays.stream(args).filter(arg -> !arg.equals("--fleet") && !arg.startsWith("--fleet=")),
                        Stream.of("--fleet.members.size=" + text))
                .toArray(String[]::new);
    }
}
