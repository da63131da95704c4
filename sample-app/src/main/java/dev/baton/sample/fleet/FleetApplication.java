package dev.baton.sample.fleet;

import dev.baton.sample.embedded.EmbeddedRedisInitializer;
import dev.baton.sample.members.MembersConfiguration;
import dev.baton.sample.simulate.SimulationWeb;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** The fleet manager. Nothing here is about locks: {@code baton-spring-boot-starter} on the class path is all. */
@SpringBootApplication
@EnableConfigurationProperties({FleetProperties.class, TrafficProperties.class})
@Import({MembersConfiguration.class, SimulationWeb.class})
public class FleetApplication {

    /** For what processes the application ahead of time. */
    public static void main(String... args) {
        start(args);
    }

    /** Starts it, with a Redis of its own if none is configured. */
    public static ConfigurableApplicationContext start(String... args) {
        // named, since what was processed ahead of time goes by it and not by whose main has called
        return new SpringApplicationBuilder(FleetApplication.class)
                .main(FleetApplication.class)
                .initializers(new EmbeddedRedisInitializer())
                .run(args);
    }
}
