package dev.baton.compatibility;

import dev.baton.lock.harness.TestRedis;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the application on the Redis that these tests share. */
final class Application {

    private Application() {}

    /** Starts one more process of the application, as far as locks and Redis can tell. */
    static ConfigurableApplicationContext start(String... arguments) {
        return start(CompatibilityApplication.class, arguments);
    }

    static ConfigurableApplicationContext start(Class<?> source, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments(arguments)));
        return new SpringApplicationBuilder(source).run(all.toArray(String[]::new));
    }

    /** The arguments with the address of the Redis before them. */
    static String[] arguments(String... arguments) {
        List<String> all = new ArrayList<>();
        all.add("--spring.data.redis.host=" + TestRedis.shared().host());
        all.add("--spring.data.redis.port=" + TestRedis.shared().port());
        all.addAll(List.of(arguments));
        return all.toArray(String[]::new);
    }
}
