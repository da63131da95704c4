package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockOperations;
import dev.baton.lock.ReleaseMode;
import dev.baton.lock.interceptor.transaction.TransactionRules;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.support.LockTemplateBuilder;
import dev.baton.lock.time.TimeSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Configures the engine that waits for, renews and releases locks. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "baton.enabled", matchIfMissing = true)
class LockEngineConfiguration {

    @Bean
    @ConditionalOnMissingBean(LockOperations.class)
    LockTemplate batonLockTemplate(
            LockStore store,
            LockProperties properties,
            LockLogProperties logging,
            ObjectProvider<TimeSource> time,
            ObjectProvider<LockListener> listeners,
            ApplicationEventPublisher events,
            ObjectProvider<LockTemplateCustomizer> customizers) {
        LockTemplateBuilder builder = builder(store, properties)
                .slowWait(logging.slowWait())
                .transactions(TransactionRules.of(properties.inTransaction()));
        // the clock of a test, which the store of the test also uses
        time.ifUnique(builder::time);
        return build(builder, listeners, events, customizers);
    }

    @Bean
    static ShutdownAwaitWarning batonShutdownAwaitWarning(
            ObjectProvider<LockProperties> properties, Environment environment) {
        return new ShutdownAwaitWarning(properties, environment);
    }

    static LockTemplateBuilder builder(LockStore store, LockProperties properties) {
        checkRelease(store, properties.release());
        LockTemplateBuilder builder = LockTemplate.builder(store)
                .expire(properties.expire())
                .maxHold(properties.maxHold())
                .waitTime(properties.waitTime())
                .stallTime(properties.stallTime())
                .commandTimeout(properties.commandTimeout())
                .recheck(properties.recheck())
                .patience(properties.patience())
                .onLost(properties.onLost())
                .maxWaiters(properties.maxWaiters())
                .requestAfter(properties.requestAfter())
                .cohortLimit(properties.cohort().limit())
                .cohortMaxTime(properties.cohort().maxTime())
                .release(properties.release())
                .shutdownAwait(properties.shutdown().await());
        properties.scopes().forEach((scope, given) -> {
            given.checkWait(scope, store.traits(), properties.stallTime());
            builder.scope(given.request(scope));
        });
        return builder;
    }

    private static void checkRelease(LockStore store, ReleaseMode release) {
        String why = release == ReleaseMode.PIPELINED ? store.traits().confirmedOnly() : null;
        if (why != null) {
            throw LockProperties.invalid("release", release, why);
        }
    }

    static LockTemplate build(
            LockTemplateBuilder builder,
            ObjectProvider<LockListener> listeners,
            ApplicationEventPublisher events,
            ObjectProvider<LockTemplateCustomizer> customizers) {
        builder.eventPublisher(events);
        listeners.orderedStream().forEach(builder::listener);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }
}
