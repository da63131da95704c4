package dev.baton.sample.fleet;

import dev.baton.sample.embedded.EmbeddedRedisInitializer;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/** The fleet manager. Nothing here is about locks: {@code lock-starter} on the class path is all. */
@SpringBootApplication
@EnableConfigurationProperties(FleetProperties.class)
public class FleetApplication {

    public static void main(String... args) {
        new SpringApplicationBuilder(FleetApplication.class)
                .initializers(new EmbeddedRedisInitializer())
                .run(args);
    }
}
