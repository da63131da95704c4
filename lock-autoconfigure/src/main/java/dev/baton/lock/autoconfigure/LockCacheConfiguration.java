package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockOperations;
import dev.baton.lock.cache.CacheKeyParts;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures locks around the loaders of the application's caches, if {@code baton.cache.enabled=true}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "baton.cache.enabled")
@EnableConfigurationProperties(LockCacheProperties.class)
class LockCacheConfiguration {

    @Bean
    static CacheManagerLocker batonCacheManagerLocker(
            ObjectProvider<LockOperations> operations,
            ObjectProvider<LockCacheProperties> properties,
            ObjectProvider<CacheKeyParts> keyParts) {
        return new CacheManagerLocker(operations, properties, keyParts);
    }
}
