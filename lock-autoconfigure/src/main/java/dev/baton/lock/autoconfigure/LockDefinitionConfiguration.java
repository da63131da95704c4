package dev.baton.lock.autoconfigure;

import dev.baton.lock.annotation.AnnotationLockAttributeSource;
import dev.baton.lock.interceptor.CompositeLockAttributeSource;
import dev.baton.lock.interceptor.LockAttributeSource;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Configures which methods have a lock: by annotation, or by the application's own sources. */
@Configuration(proxyBeanMethods = false)
class LockDefinitionConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static AnnotationLockAttributeSource batonLockAttributeSource(ConfigurableBeanFactory beanFactory) {
        return new AnnotationLockAttributeSource(beanFactory::resolveEmbeddedValue);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockAttributeSources batonLockAttributeSources(
            AnnotationLockAttributeSource annotation, ObjectProvider<LockAttributeSource> sources) {
        List<LockAttributeSource> all = Stream.concat(
                        Stream.of(annotation), sources.orderedStream().filter(source -> source != annotation))
                .toList();
        return new LockAttributeSources(new CompositeLockAttributeSource(all));
    }
}
