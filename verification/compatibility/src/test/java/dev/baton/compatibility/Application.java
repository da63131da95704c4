package dev.baton.compatibility;

import dev.baton.lock.harness.TestRedis;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the application on the shared Redis of these tests. */
final class Application {

    private Application() {}

    /** Starts another application context, which acts as another process for locks and Redis. */
    static ConfigurableApplicationContext start(String... arguments) {
        return start(CompatibilityApplication.class, arguments);
    }

    static ConfigurableApplicationContext start(Class<?> source, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments(arguments)));
        return new SpringApplicationBuilder(source).run(all.toArray(String[]::new));
    }

    /** Returns the arguments, preceded by the address of the Redis. */
    static String[] arguments(String... arguments) {
        List<String> all = new ArrayList<>();
        all.add("--spring.data.redis.host=" + TestRedis.shared().host());
        all.add("--spring.data.redis.port=" + TestRedis.shared().port());
        all.addAll(List.of(arguments));
        return all.toArray(String[]::new);
    }
}
