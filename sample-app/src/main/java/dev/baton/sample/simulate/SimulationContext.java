package dev.baton.sample.simulate;

import dev.baton.lock.autoconfigure.LockAutoConfiguration;
import dev.baton.sample.embedded.EmbeddedRedisInitializer;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** An application without web and database: what a simulation needs, and no more. */
final class SimulationContext {

    private SimulationContext() {}

    static ConfigurableApplicationContext start(Class<?> configuration, String... args) {
        return new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .initializers(new EmbeddedRedisInitializer())
                .run(args);
    }

    /** Redis alone. */
    @ImportAutoConfiguration(DataRedisAutoConfiguration.class)
    static class WithRedis {}

    /** Redis and the locks, as in any application with the starter. */
    @ImportAutoConfiguration({DataRedisAutoConfiguration.class, LockAutoConfiguration.class})
    static class WithLocks {}
}
