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

/** Configuration for {@code baton.enabled=false}: locks nothing, needs no Redis, and logs a warning. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "baton.enabled", havingValue = false)
class LockDisabledConfiguration {

    /** Creates a template even if locks are disabled, so that beans that inject a template work. */
    @Bean
    @ConditionalOnMissingBean(LockOperations.class)
    LockTemplate batonLockTemplate(
            LockProperties properties,
            ObjectProvider<LockListener> listeners,
            ApplicationEventPublisher events,
            ObjectProvider<LockTemplateCustomizer> customizers) {
        return LockEngineConfiguration.build(
                LockEngineConfiguration.builder(new UnlockedStore(), properties), listeners, events, customizers);
    }

    /**
     * Creates a store for a template of the application's own. The template above has its own store, whatever the
     * application defines.
     */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    LockStore batonLockStore() {
        return new UnlockedStore();
    }

    @Bean
    static UnprotectedMethodsWarning batonUnprotectedMethodsWarning(
            ConfigurableListableBeanFactory beanFactory, LockAttributeSources sources) {
        return new UnprotectedMethodsWarning(beanFactory, sources.all());
    }
}
