package dev.baton.lock.autoconfigure;

import dev.baton.lock.observation.DefaultLockObservationConvention;
import dev.baton.lock.observation.LockObservationConvention;
import dev.baton.lock.observation.ObservedLocks;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Observations of the locks, where there is an {@code ObservationRegistry} bean. The names of Boot's auto-configurations are those of
 * its lines 4 and 3.5.
 */
@AutoConfiguration(
        after = LockAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration"
        })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
@EnableConfigurationProperties(LockObservationProperties.class)
public final class LockObservationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "batonObservationCustomizer")
    static LockTemplateCustomizer batonObservationCustomizer(
            ObservationRegistry registry,
            ObjectProvider<LockObservationConvention> convention,
            LockObservationProperties properties) {
        return builder -> builder.observer(new ObservedLocks(
                registry, convention.getIfUnique(() -> new DefaultLockObservationConvention(properties.names()))));
    }
}
