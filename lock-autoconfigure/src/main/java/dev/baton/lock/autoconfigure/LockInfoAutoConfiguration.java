package dev.baton.lock.autoconfigure;

import dev.baton.lock.support.LockTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of what Actuator's endpoint {@code info} says of the locks, unless
 * {@code management.info.locks.enabled=false}. The types have the same names in Spring Boot 4 and 3.5.
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@ConditionalOnBean({LockTemplate.class, DeclaredLocks.class})
@ConditionalOnEnabledInfoContributor("locks")
public final class LockInfoAutoConfiguration {

    /** Waits for no server: the server is named once it has answered, to the health of the locks for instance. */
    @Bean
    @ConditionalOnMissingBean(name = "batonInfoContributor")
    static InfoContributor batonInfoContributor(
            DeclaredLocks declared, LockProperties properties, ObjectProvider<LockTemplate> template) {
        return info -> info.withDetail(
                "locks",
                LockSummary.of(declared, properties.enabled(), template.getIfUnique())
                        .details());
    }
}
