package dev.baton.lock.benchmarks.interception;

import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application as any other, but for its locks, which are in memory. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        // lock4j's are on the class path for the comparison, and claim our bean names
        excludeName = {
            "com.baomidou.lock.spring.boot.autoconfigure.LockAutoConfiguration",
            "com.baomidou.lock.spring.boot.autoconfigure.RedisTemplateLockAutoConfiguration"
        })
public class LockedApplication {

    /**
     * Starts it.
     *
     * @param more further configuration
     */
    public static ConfigurableApplicationContext start(Class<?>... more) {
        return new SpringApplicationBuilder(LockedApplication.class)
                .sources(more)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "logging.level.root=warn")
                .run();
    }

    @Bean
    TestClock clock() {
        return TestClock.ticking();
    }

    @Bean
    InMemoryLockStore lockStore(TestClock clock) {
        return new InMemoryLockStore(clock);
    }

    @Bean
    LockedCalls lockedCalls() {
        return new LockedCalls();
    }
}
