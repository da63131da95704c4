package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockOperations;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.redis.lettuce.LockListenerContainer;
import dev.baton.lock.store.LockStore;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Where the locks are kept: on the application's Redis. Nothing here connects to it.
 *
 * <p>The store is made for whatever asks for it: also for a template of the application's own, which may as well need no Redis.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "baton.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(LockStore.class)
class LockStoreConfiguration {

    private static final String CONTAINER = "batonMessageListenerContainer";

    /**
     * No default candidate: an application's or Boot's own listener container stays the only one to be injected by type. Not beside
     * operations of the application's own: as every bean with a lifecycle it is made at the start, and needs Redis.
     */
    @Bean(name = CONTAINER, defaultCandidate = false)
    @ConditionalOnMissingBean(value = LockOperations.class, name = CONTAINER)
    LockListenerContainer batonMessageListenerContainer(ListableBeanFactory beans, LockProperties properties) {
        return new LockListenerContainer(LockConnectionFactories.select(beans, properties.connectionFactory()));
    }

    @Bean
    @Lazy
    RedisLockStore lockStore(
            ListableBeanFactory beans,
            LockProperties properties,
            @Qualifier(CONTAINER) ObjectProvider<LockListenerContainer> container) {
        RedisConnectionFactory factory = LockConnectionFactories.select(beans, properties.connectionFactory());
        RedisLockStore.Builder builder = RedisLockStore.builder(factory);
        waitAsConfigured(builder, properties);
        try {
            container.ifAvailable(builder::listenerContainer);
            return builder.namespace(properties.namespace()).build();
        } catch (IllegalArgumentException ex) {
            throw LockConnectionFactories.unsupported(ex);
        }
    }

    /** A combination that is not supported is the fault of the property, not of the connection factory. */
    private static void waitAsConfigured(RedisLockStore.Builder builder, LockProperties properties) {
        builder.pollingInterval(properties.polling().interval())
                .configureKeyspace(properties.keyspace().configure());
        try {
            builder.waitStrategy(properties.waitStrategy());
        } catch (IllegalArgumentException ex) {
            throw LockProperties.invalid("wait-strategy", properties.waitStrategy(), ex.getMessage());
        }
        try {
            builder.handler(properties.handler());
        } catch (IllegalArgumentException ex) {
            throw LockProperties.invalid("handler", properties.handler(), ex.getMessage());
        }
    }
}
