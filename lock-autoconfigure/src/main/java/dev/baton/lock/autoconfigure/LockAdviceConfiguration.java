package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockOperations;
import dev.baton.lock.interceptor.InTransaction;
import dev.baton.lock.interceptor.advice.LockAdvisor;
import dev.baton.lock.interceptor.advice.LockAutoProxyRegistrar;
import dev.baton.lock.interceptor.advice.LockInterceptor;
import dev.baton.lock.interceptor.validation.LockedBeanVerifier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * Configures the advice that locks methods, and the checks that each locked method has the advice and can be locked.
 *
 * <p>The bean methods are static and do not depend on the engine. Beans that are created early for the proxies
 * therefore do not create a Redis connection factory. The beans are infrastructure beans, because the default
 * auto-proxy creator applies no other advisors.
 *
 * <p>The checks apply regardless of {@code baton.enabled}. If it is {@code false}, {@link LockDisabledConfiguration}
 * has the advice.
 */
@Configuration(proxyBeanMethods = false)
class LockAdviceConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockAutoProxyRegistrar batonLockAutoProxyRegistrar(Environment environment) {
        return new LockAutoProxyRegistrar(environment);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedBeanVerifier batonLockedBeanVerifier(LockAttributeSources sources, LockAutoProxyRegistrar registrar) {
        return new LockedBeanVerifier(sources.all(), registrar);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnBooleanProperty(name = "baton.enabled", matchIfMissing = true)
    @ConditionalOnMissingBean
    static LockInterceptor batonLockInterceptor(
            LockAttributeSources sources,
            BeanFactory beanFactory,
            ObjectProvider<LockOperations> operations,
            Environment environment) {
        return new LockInterceptor(sources.all(), beanFactory, operations::getObject, inTransaction(environment));
    }

    /**
     * Returns how to handle active transactions, or {@code null} if locks are disabled and no holder waits for a
     * commit. Binds these properties alone, because binding all properties would create beans before their
     * post-processors.
     */
    static @Nullable InTransaction inTransaction(Environment environment) {
        Binder binder = Binder.get(environment);
        return binder.bind(LockProperties.PREFIX + ".enabled", Boolean.class).orElse(true)
                ? binder.bind(LockProperties.PREFIX + ".in-transaction", InTransaction.class)
                        .orElse(InTransaction.RELEASE)
                : null;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnBooleanProperty(name = "baton.enabled", matchIfMissing = true)
    @ConditionalOnMissingBean
    static LockAdvisor batonLockAdvisor(LockAttributeSources sources, LockInterceptor interceptor) {
        return new LockAdvisor(sources.all(), interceptor);
    }
}
