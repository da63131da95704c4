package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockOperations;
import dev.baton.lock.interceptor.InTransaction;
import dev.baton.lock.interceptor.advice.LockAdvisor;
import dev.baton.lock.interceptor.advice.LockAutoProxyRegistrar;
import dev.baton.lock.interceptor.advice.LockInterceptor;
import dev.baton.lock.interceptor.validation.LockedBeanVerifier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
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
    static LockedBeanVerifier lockedBeanVerifier(LockAttributeSources sources, LockAutoProxyRegistrar registrar) {
        return new LockedBeanVerifier(sources.all(), registrar);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static LockInterceptor lockInterceptor(
            LockAttributeSources sources,
            BeanFactory beanFactory,
            ObjectProvider<LockOperations> operations,
            Environment environment) {
        return new LockInterceptor(sources.all(), beanFactory, operations::getObject, inTransaction(environment));
    }

    /** Read by itself: binding all properties would create beans before their post-processors. */
    static InTransaction inTransaction(Environment environment) {
        return Binder.get(environment)
                .bind(LockProperties.PREFIX + ".in-transaction", InTransaction.class)
                .orElse(InTransaction.RELEASE);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static LockAdvisor lockAdvisor(LockAttributeSources sources, LockInterceptor interceptor) {
        return new LockAdvisor(sources.all(), interceptor);
    }

    @Bean
    static MeetingScopesWarning meetingScopesWarning(
            ConfigurableListableBeanFactory beanFactory,
            LockAttributeSources sources,
            ObjectProvider<LockProperties> properties) {
        return new MeetingScopesWarning(beanFactory, sources.all(), properties);
    }
}
