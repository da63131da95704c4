package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockOperations;
import dev.baton.lock.reactive.ReactiveLockTemplate;
import dev.baton.lock.reactive.ReactiveResult;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.env.Environment;

/** Configures the same locks for Reactor, if Reactor is on the class path. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "reactor.core.publisher.Flux")
class LockReactiveConfiguration {

    /**
     * Supports reactive methods with {@code @DistributedLock}. Static, because it checks beans during their creation.
     */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ReactiveResult batonReactiveResult(Environment environment) {
        return new ReactiveResult(
                ReactiveAdapterRegistry.getSharedInstance(), LockAdviceConfiguration.inTransaction(environment));
    }

    @Bean
    @ConditionalOnMissingBean
    ReactiveLockTemplate batonReactiveLockTemplate(LockOperations operations) {
        return new ReactiveLockTemplate(operations);
    }
}
