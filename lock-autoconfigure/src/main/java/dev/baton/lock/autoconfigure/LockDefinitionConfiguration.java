package dev.baton.lock.autoconfigure;

import dev.baton.lock.annotation.AnnotationLockAttributeSource;
import dev.baton.lock.interceptor.LockAttributeSource;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Which methods have a lock. */
@Configuration(proxyBeanMethods = false)
class LockDefinitionConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static LockAttributeSource lockAttributeSource(ConfigurableBeanFactory beanFactory) {
        return new AnnotationLockAttributeSource(new EmbeddedValueResolver(beanFactory));
    }
}
