package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockOperations;
import dev.baton.lock.reactive.ReactiveLockTemplate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The same locks for Reactor, where it is on the class path. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "reactor.core.publisher.Flux")
class LockReactiveConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ReactiveLockTemplate reactiveLockTemplate(LockOperations operations) {
        return new ReactiveLockTemplate(operations);
    }
}
