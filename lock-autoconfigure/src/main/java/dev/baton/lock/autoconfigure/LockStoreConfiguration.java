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
 * Configures the store that keeps the locks in the application's Redis. Does not connect to Redis.
 *
 * <p>The store is created only for a bean that needs the store, including a template of the application's own. Such a
 * template may also need no Redis.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "baton.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(LockStore.class)
class LockStoreConfiguration {

    private static final String CONTAINER = "batonMessageListenerContainer";

    /**
     * Creates the listener container. The container is not a default candidate: a container of the application or of
     * Boot remains the only one to be injected by type. The container is not created if the application defines its own
     * {@code LockOperations}. Like every bean with a lifecycle, the container would be created at startup, and it needs
     * Redis.
     */
    @Bean(name = CONTAINER, defaultCandidate = false)
    @ConditionalOnMissingBean(value = LockOperations.class, name = CONTAINER)
    LockListenerContainer batonMessageListenerContainer(ListableBeanFactory beans, LockProperties properties) {
        return new LockListenerContainer(LockConnectionFactories.select(beans, properties.connectionFactory()));
    }

    @Bean
    @Lazy
    RedisLockStore batonLockStore(
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

    /** Applies the properties, and blames an unsupported combination on the property, not on the connection factory. */
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
        try {
            builder.replicasToAck(properties.replicasToAck());
        } catch (IllegalArgumentException ex) {
            throw LockProperties.invalid("replicas-to-ack", properties.replicasToAck(), ex.getMessage());
        }
        builder.longestExpire(properties.longestExpire());
        try {
            builder.pauseAfterFailover(properties.failover() == Failover.WAIT);
        } catch (IllegalArgumentException ex) {
            throw LockProperties.invalid("failover", properties.failover(), ex.getMessage());
        }
    }
}
