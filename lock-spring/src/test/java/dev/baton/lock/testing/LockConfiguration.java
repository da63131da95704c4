package dev.baton.lock.testing;

import dev.baton.lock.LockOperations;
import dev.baton.lock.annotation.AnnotationLockAttributeSource;
import dev.baton.lock.interceptor.LockAttributeSource;
import dev.baton.lock.interceptor.advice.LockAdvisor;
import dev.baton.lock.interceptor.advice.LockAutoProxyRegistrar;
import dev.baton.lock.interceptor.advice.LockInterceptor;
import dev.baton.lock.interceptor.validation.LockedBeanVerifier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** Declares the beans of the auto-configuration for the annotation, with fake locks. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class LockConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockAutoProxyRegistrar lockAutoProxyRegistrar(Environment environment) {
        return new LockAutoProxyRegistrar(environment);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockAttributeSource lockAttributeSource(ConfigurableBeanFactory beanFactory) {
        return new AnnotationLockAttributeSource(beanFactory::resolveEmbeddedValue);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockAdvisor lockAdvisor(
            LockAttributeSource source, BeanFactory beanFactory, ObjectProvider<LockOperations> operations) {
        return new LockAdvisor(source, new LockInterceptor(source, beanFactory, operations::getObject));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedBeanVerifier lockedBeanVerifier(LockAttributeSource source, LockAutoProxyRegistrar registrar) {
        return new LockedBeanVerifier(source, registrar);
    }

    @Bean
    Journal journal() {
        return new Journal();
    }

    @Bean
    FakeLockOperations lockOperations(Journal journal) {
        return new FakeLockOperations(journal);
    }
}
