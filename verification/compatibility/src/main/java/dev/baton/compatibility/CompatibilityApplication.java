package dev.baton.compatibility;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The application. It names no type that stands elsewhere in another line of Spring Boot. */
@SpringBootApplication
public class CompatibilityApplication {

    /** Runs it, and ends it again after the sale that {@code --sell} asks for. */
    public static void main(String... args) {
        ConfigurableApplicationContext context = SpringApplication.run(CompatibilityApplication.class, args);
        if (context.getEnvironment().containsProperty(TicketSale.OPTION)) {
            context.close();
        }
    }
}
