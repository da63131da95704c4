package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.actuate.LocksEndpoint;
import dev.baton.lock.observation.LockMeters;
import dev.baton.lock.support.LockTemplate;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/** Meters, observations, endpoint and health are there only with what they are for. */
class WithoutActuatorTests {

    private final ApplicationContextRunner runner = Contexts.withoutRedis()
            .withConfiguration(AutoConfigurations.of(
                    LockMetricsAutoConfiguration.class,
                    LockObservationAutoConfiguration.class,
                    LockHealthAutoConfiguration.class,
                    LocksEndpointAutoConfiguration.class));

    @Test
    void starterAloneHasNoBeanMore() {
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withPropertyValues("spring.data.redis.port=" + Contexts.NO_REDIS)
                .withClassLoader(new FilteredClassLoader(
                        "io.micrometer", "org.springframework.boot.actuate", "org.springframework.boot.health"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LockTemplate.class)
                        .doesNotHaveBean(LockMeters.class)
                        .doesNotHaveBean(LockTemplateCustomizer.class)
                        .doesNotHaveBean(LocksEndpoint.class)
                        .doesNotHaveBean("locksHealthIndicator"));
    }

    @Test
    void nothingIsMeasuredWithoutARegistry() {
        runner.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(LockMeters.class)
                .doesNotHaveBean(LockTemplateCustomizer.class));
    }

    @Test
    void registriesAreEnough() {
        runner.withBean(SimpleMeterRegistry.class)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withPropertyValues("baton.metrics.max-scopes=7")
                .run(context -> assertThat(context)
                        .hasSingleBean(LockMeters.class)
                        .hasSingleBean(LockTemplateCustomizer.class));
    }

    @Test
    void endpointIsNotThereUnlessItIsExposed() {
        runner.run(context -> assertThat(context).doesNotHaveBean(LocksEndpoint.class));
        runner.withPropertyValues("management.endpoints.web.exposure.include=locks", "management.server.port=0")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void healthCanBeSwitchedOff() {
        runner.run(context -> assertThat(context).hasBean("locksHealthIndicator"));
        runner.withPropertyValues("management.health.locks.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("locksHealthIndicator"));
    }

    @Test
    void tooFewScopesNameTheProperty() {
        runner.withBean(SimpleMeterRegistry.class)
                .withPropertyValues("baton.metrics.max-scopes=0")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("baton.metrics.max-scopes"));
    }

    @Test
    void negativeSlowWaitNamesTheProperty() {
        runner.withPropertyValues("baton.log.slow-wait=-1s")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("baton.log.slow-wait"));
    }

    /** By name, as an application gets them: classes whose annotations are loaded already would hide what is missing. */
    @Configuration(proxyBeanMethods = false)
    @Import(ByName.class)
    static class Application {}

    static class ByName implements ImportSelector {

        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            String ours = "dev.baton.lock.autoconfigure.";
            return new String[] {
                "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
                ours + "LockAutoConfiguration",
                ours + "LockMetricsAutoConfiguration",
                ours + "LockObservationAutoConfiguration",
                ours + "LockHealthAutoConfiguration",
                ours + "LocksEndpointAutoConfiguration",
                ours + "LockBoardAutoConfiguration"
            };
        }
    }
}
