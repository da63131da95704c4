package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockOperations;
import dev.baton.lock.interceptor.advice.LockAdvisor;
import dev.baton.lock.interceptor.advice.LockInterceptor;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.support.LockTemplate;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/**
 * Configuration for {@code baton.enabled=false}: locks nothing, needs no Redis, and logs a warning.
 *
 * <p>Methods with a lock run at once, under a lease that does not end. Declarations are checked, and keys, conditions
 * and owners are evaluated, as with locks: a bug in them must not wait for production. Active transactions do not
 * matter. {@code docs/decisions/0052-disabled.md} gives the reasons.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "baton.enabled", havingValue = false)
class LockDisabledConfiguration {

    /** Created with its first use, because the methods' advice exists before most beans. */
    @Bean
    @Lazy
    UnlockedTemplate batonUnlockedTemplate(
            LockProperties properties,
            ObjectProvider<LockListener> listeners,
            ApplicationEventPublisher events,
            ObjectProvider<LockTemplateCustomizer> customizers) {
        return new UnlockedTemplate(LockEngineConfiguration.build(
                LockEngineConfiguration.builder(new UnlockedStore(properties.waitStrategy()), properties),
                listeners,
                events,
                customizers));
    }

    /** Creates a template even if locks are disabled, so that beans that inject a template work. */
    @Bean
    @ConditionalOnMissingBean(LockOperations.class)
    LockTemplate batonLockTemplate(UnlockedTemplate unlocked) {
        return unlocked.template();
    }

    /** Ignores an interceptor of the application, which may lock. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static LockAdvisor batonUnlockedAdvisor(
            LockAttributeSources sources, BeanFactory beanFactory, ObjectProvider<UnlockedTemplate> unlocked) {
        LockInterceptor interceptor = new LockInterceptor(
                new EndlessLeases(sources.all()),
                beanFactory,
                () -> unlocked.getObject().template(),
                null);
        return new LockAdvisor(sources.all(), interceptor);
    }

    /**
     * Creates a store for a template of the application's own. The template above has its own store, whatever the
     * application defines.
     */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    LockStore batonLockStore(LockProperties properties) {
        return new UnlockedStore(properties.waitStrategy());
    }

    @Bean
    static UnprotectedMethodsWarning batonUnprotectedMethodsWarning(DeclaredLocks declared) {
        return new UnprotectedMethodsWarning(declared);
    }
}
