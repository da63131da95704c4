package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockOperations;
import dev.baton.lock.support.LockTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures what the application says of its locks when it has started. */
@Configuration(proxyBeanMethods = false)
class LockStartupConfiguration {

    @Bean
    static DeclaredLocks batonDeclaredLocks(ConfigurableListableBeanFactory beanFactory, LockAttributeSources sources) {
        return new DeclaredLocks(beanFactory, sources.all());
    }

    @Bean
    static DeclaredRequestCheck batonDeclaredRequestCheck(
            DeclaredLocks declared, ObjectProvider<LockOperations> operations, LockProperties properties) {
        return new DeclaredRequestCheck(declared, operations, properties.longestExpire() != null);
    }

    /** Not needed if locks are disabled: {@link UnprotectedMethodsWarning} says so. */
    @Bean
    @ConditionalOnBooleanProperty(name = "baton.enabled", matchIfMissing = true)
    static LockStartupLog batonStartupLog(
            ApplicationContext context, DeclaredLocks declared, ObjectProvider<LockTemplate> template) {
        return new LockStartupLog(context, declared, template);
    }
}
