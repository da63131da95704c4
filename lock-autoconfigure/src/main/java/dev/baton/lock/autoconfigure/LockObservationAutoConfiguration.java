package dev.baton.lock.autoconfigure;

import dev.baton.lock.observation.DefaultLockObservationConvention;
import dev.baton.lock.observation.LockObservationConvention;
import dev.baton.lock.observation.LockObservationMeters;
import dev.baton.lock.observation.ObservedLocks;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of lock observations, if there is an {@code ObservationRegistry} bean. The names of Boot's
 * auto-configurations are those of Spring Boot 4 and 3.5.
 */
@AutoConfiguration(
        after = LockAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration"
        })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
@EnableConfigurationProperties({LockObservationProperties.class, LockMetricsProperties.class})
public final class LockObservationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "batonObservationCustomizer")
    static LockTemplateCustomizer batonObservationCustomizer(
            ObservationRegistry registry,
            ObjectProvider<LockObservationConvention> convention,
            LockObservationProperties properties,
            LockMetricsProperties metrics) {
        return builder -> builder.observer(new ObservedLocks(
                registry,
                convention.getIfUnique(
                        () -> new DefaultLockObservationConvention(properties.names(), metrics.maxScopes()))));
    }

    /**
     * Replaces Boot's meter handler for lock observations only, if Boot's handler exists and the application defines
     * none of its own. Boot passes an observation to the first handler that supports the observation.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DefaultMeterObservationHandler.class)
    static class MeterConfiguration {

        private static final String IGNORED = "management.metrics.observations.ignored-meters";
        private static final String LONG_TASKS_OF_3 = "management.observations.long-task-timer.enabled";

        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE - 1)
        @ConditionalOnBean({DefaultMeterObservationHandler.class, MeterRegistry.class})
        @ConditionalOnSingleCandidate(MeterObservationHandler.class)
        static LockObservationMeters batonObservationMeters(MeterRegistry registry, Environment environment) {
            boolean longTasks = environment.getProperty(LONG_TASKS_OF_3, Boolean.class, true)
                    && !Binder.get(environment)
                            .bind(IGNORED, Bindable.setOf(IgnoredMeters.class))
                            .orElse(Set.of())
                            .contains(IgnoredMeters.LONG_TASK_TIMER);
            return new LockObservationMeters(registry, longTasks);
        }
    }
}
