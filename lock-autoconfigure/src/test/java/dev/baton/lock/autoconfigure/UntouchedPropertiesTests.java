package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.EnumerablePropertySource;

/**
 * Tests that an application with Baton keeps its properties as they are, above all those of Spring Data's repositories.
 */
class UntouchedPropertiesTests {

    /** What Spring itself adds to the environment of every application. */
    private static final Set<String> OF_SPRING = Set.of("systemProperties", "systemEnvironment", "applicationInfo");

    private static final String REPOSITORIES = "spring.data.redis.repositories.enabled";

    @Test
    void repositoriesOfRedisAreNeitherSwitchedOffNorOn() {
        try (ConfigurableApplicationContext context = start(WithBaton.class)) {
            assertThat(context.containsBean("batonLockTemplate")).isTrue();
            assertThat(context.getEnvironment().containsProperty(REPOSITORIES)).isFalse();
        }
    }

    @Test
    void onlyTheApplicationSetsProperties() {
        try (ConfigurableApplicationContext context = start(WithBaton.class)) {
            assertThat(context.getEnvironment().getPropertySources().stream()
                            .filter(source -> !OF_SPRING.contains(source.getName()))
                            .filter(EnumerablePropertySource.class::isInstance)
                            .flatMap(source -> Stream.of(((EnumerablePropertySource<?>) source).getPropertyNames())))
                    .containsExactly("spring.data.redis.port");
        }
    }

    /** A whole application, because a file of the jar may name a class that adds properties before the context. */
    private static ConfigurableApplicationContext start(Class<?> application) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .run("--spring.data.redis.port=" + Contexts.NO_REDIS);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        LockAutoConfiguration.class,
        LockMetricsAutoConfiguration.class,
        LockHealthAutoConfiguration.class,
        LockInfoAutoConfiguration.class,
        LocksEndpointAutoConfiguration.class,
        LockBoardAutoConfiguration.class,
        LockObservationAutoConfiguration.class,
        DataRedisAutoConfiguration.class,
    })
    static class WithBaton {}
}
