package dev.baton.lock.autoconfigure;

import dev.baton.lock.observation.LockMeters;
import dev.baton.lock.support.LockTemplate;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the lock meters, if there is a {@code MeterRegistry} bean. The names of Boot's
 * auto-configurations are those of Spring Boot 4 and 3.5.
 */
@AutoConfiguration(
        after = LockAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, LockTemplate.class})
@EnableConfigurationProperties(LockMetricsProperties.class)
public final class LockMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    static LockMeters batonLockMeters(MeterRegistry registry, LockMetricsProperties properties) {
        return new LockMeters(registry, properties.maxScopes(), properties.histogram());
    }

    @Bean
    static DeclaredScopeMeters batonDeclaredScopeMeters(
            ObjectProvider<LockMeters> meters,
            ObjectProvider<DeclaredLocks> declared,
            ObjectProvider<LockProperties> properties) {
        return new DeclaredScopeMeters(meters, declared, properties);
    }
}
