package dev.baton.lock.autoconfigure;

import dev.baton.lock.actuate.ForceReleaseAudit;
import dev.baton.lock.actuate.LocksEndpoint;
import dev.baton.lock.actuate.LocksEndpointWebExtension;
import dev.baton.lock.support.CurrentLocks;
import dev.baton.lock.support.LockTemplate;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the Actuator endpoint {@code locks}, if the endpoint is exposed. */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(LockTemplate.class)
@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
@EnableConfigurationProperties(LocksEndpointProperties.class)
public final class LocksEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    static CurrentLocks batonCurrentLocks() {
        return new CurrentLocks();
    }

    @Bean
    @ConditionalOnMissingBean
    static LocksEndpoint batonLocksEndpoint(
            LockTemplate template,
            CurrentLocks current,
            ApplicationEventPublisher events,
            LocksEndpointProperties properties) {
        return new LocksEndpoint(
                template, current, new ForceReleaseAudit(events), properties.showValues(), properties.roles());
    }

    @Bean
    @ConditionalOnMissingBean
    static LocksEndpointWebExtension batonLocksEndpointWebExtension(LocksEndpoint endpoint) {
        return new LocksEndpointWebExtension(endpoint);
    }
}
