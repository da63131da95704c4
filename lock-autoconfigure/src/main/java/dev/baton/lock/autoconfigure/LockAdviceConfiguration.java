package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockOperations;
import dev.baton.lock.interceptor.LockAdvisor;
import dev.baton.lock.interceptor.LockAttributeSource;
import dev.baton.lock.interceptor.LockAutoProxyRegistrar;
import dev.baton.lock.interceptor.LockInterceptor;
import dev.baton.lock.interceptor.LockedBeanVerifier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * The lock around methods that have one, and the checks that it is there and can work.
 *
 * <p>Static and without a dependency on the engine, so that what is created early for the sake of the proxies creates no
 * Redis connection factory with it; infrastructure, because the default auto-proxy creator applies no other advisor.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "baton.enabled", matchIfMissing = true)
class LockAdviceConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockAutoProxyRegistrar lockAutoProxyRegistrar(Environment environment) {
        return new LockAutoProxyRegistrar(environment);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedBeanVerifier lockedBeanVerifier(
            LockAttributeSource attributeSource, LockAutoProxyRegistrar registrar) {
        return new LockedBeanVerifier(attributeSource, registrar);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static LockInterceptor lockInterceptor(
            LockAttributeSource attributeSource, BeanFactory beanFactory, ObjectProvider<LockOperations> operations) {
        return new LockInterceptor(attributeSource, beanFactory, operations::getObject);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static LockAdvisor lockAdvisor(LockAttributeSource attributeSource, LockInterceptor interceptor) {
        return new LockAdvisor(attributeSource, interceptor);
    }
}
