package dev.baton.lock.autoconfigure;

import dev.baton.lock.actuate.LockHealth;
import dev.baton.lock.support.LockTemplate;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the health of locks on Spring Boot 4. {@code baton-autoconfigure-boot3} has the counterpart for
 * Spring Boot 3.5, where these types have other names.
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(LockTemplate.class)
@ConditionalOnEnabledHealthIndicator("locks")
public final class LockHealthAutoConfiguration {

    /** Creates the indicator. Boot derives its key in the report, {@code locks}, from the name of the bean. */
    @Bean
    @ConditionalOnMissingBean(name = "locksHealthIndicator")
    static HealthIndicator locksHealthIndicator(LockTemplate template) {
        return () -> {
            LockHealth health = LockHealth.of(template);
            return (health.up() ? Health.up() : Health.down())
                    .withDetails(health.details())
                    .build();
        };
    }
}
