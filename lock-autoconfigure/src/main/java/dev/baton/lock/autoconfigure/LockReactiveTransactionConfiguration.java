package dev.baton.lock.autoconfigure;

import dev.baton.lock.reactive.ReactiveCommitAdvisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.ReactiveAdapterRegistry;

/** Rolls back reactive transactions whose lock is lost, if Reactor and spring-tx are on the class path. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(
        name = {
            "reactor.core.publisher.Flux",
            "org.springframework.transaction.reactive.TransactionSynchronizationManager"
        })
@ConditionalOnBooleanProperty(name = "baton.enabled", matchIfMissing = true)
class LockReactiveTransactionConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ReactiveCommitAdvisor batonReactiveCommitAdvisor(LockAttributeSources sources) {
        return new ReactiveCommitAdvisor(sources.all(), ReactiveAdapterRegistry.getSharedInstance());
    }
}
