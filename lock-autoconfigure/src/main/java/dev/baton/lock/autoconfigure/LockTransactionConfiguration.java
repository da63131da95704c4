package dev.baton.lock.autoconfigure;

import dev.baton.lock.interceptor.transaction.CommitVetoRegistrar;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Rolls back transactions whose lock is lost, if spring-tx is on the class path. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "org.springframework.transaction.ConfigurableTransactionManager")
@ConditionalOnBooleanProperty(name = "baton.enabled", matchIfMissing = true)
class LockTransactionConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CommitVetoRegistrar batonCommitVetoRegistrar() {
        return new CommitVetoRegistrar();
    }
}
