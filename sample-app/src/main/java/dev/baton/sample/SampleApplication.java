package dev.baton.sample;

import dev.baton.sample.fleet.FleetApplication;
import dev.baton.sample.members.FleetOption;
import dev.baton.sample.members.Member;
import dev.baton.sample.simulate.Simulation;
import dev.baton.sample.simulate.Worker;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;

/**
 * Starts the fleet manager, with {@code --fleet=3} three instances of it; with {@code --simulate}, processes that contend for one of its
 * servers.
 */
public final class SampleApplication {

    private SampleApplication() {}

    public static void main(String... args) {
        ApplicationArguments arguments = new DefaultApplicationArguments(args);
        if (arguments.containsOption(Worker.OPTION)) {
            Worker.main(args);
        } else if (arguments.containsOption("simulate") || arguments.containsOption("unprotected")) {
            System.exit(Simulation.run(System.out, args));
        } else if (arguments.containsOption(Member.OPTION)) {
            Member.run(FleetApplication::start, args);
        } else {
            startFleet(args);
        }
    }

    private static void startFleet(String... args) {
        String[] settings;
        try {
            settings = FleetOption.replaced(args);
        } catch (IllegalArgumentException ex) {
            System.out.println("FAIL  " + ex.getMessage());
            System.exit(1);
            return;
        }
        FleetApplication.start(settings);
    }
}
