package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockOperations;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.support.LockTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** {@code baton.enabled=false}: nothing is locked, no Redis is needed, and that is said aloud. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "baton.enabled", havingValue = false)
class LockDisabledConfiguration {

    /** A template all the same, so that whoever injects it runs. */
    @Bean
    @ConditionalOnMissingBean(LockOperations.class)
    LockTemplate lockTemplate(
            LockProperties properties,
            ObjectProvider<LockListener> listeners,
            ApplicationEventPublisher events,
            ObjectProvider<LockTemplateCustomizer> customizers) {
        return LockEngineConfiguration.build(
                LockEngineConfiguration.builder(new UnlockedStore(), properties), listeners, events, customizers);
    }

    /** For a template of the application's own. The one above has a store for itself, whatever the application defines. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    LockStore lockStore() {
        return new UnlockedStore();
    }

    @Bean
    static UnprotectedMethodsWarning unprotectedMethodsWarning(
            ConfigurableListableBeanFactory beanFactory, LockAttributeSources sources) {
        return new UnprotectedMethodsWarning(beanFactory, sources.all());
    }
}
