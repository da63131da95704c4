package dev.baton.lock.boot3;

import dev.baton.lock.actuate.LockHealth;
import dev.baton.lock.autoconfigure.LockAutoConfiguration;
import dev.baton.lock.support.LockTemplate;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Health of the locks on Spring Boot 3.5; {@code baton-spring-boot-autoconfigure} has the twin for 4. */
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
