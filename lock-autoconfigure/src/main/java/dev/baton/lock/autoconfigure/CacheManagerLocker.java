package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockOperations;
import dev.baton.lock.cache.CacheKeyParts;
import dev.baton.lock.cache.LockingCacheManager;
import dev.baton.lock.cache.LockingCacheManagerBuilder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cache.CacheManager;
import org.springframework.cache.support.NoOpCacheManager;

/**
 * Replaces each cache manager by a {@link LockingCacheManager}. Leaves locking cache managers, and the one that caches
 * nothing, as they are.
 */
final class CacheManagerLocker implements BeanPostProcessor {

    private final ObjectProvider<LockOperations> operations;
    private final ObjectProvider<LockCacheProperties> properties;
    private final ObjectProvider<CacheKeyParts> keyParts;

    /**
     * Creates a post-processor. All providers are resolved with the first cache manager: the post-processor is created
     * before the beans it needs could be post-processed.
     */
    CacheManagerLocker(
            ObjectProvider<LockOperations> operations,
            ObjectProvider<LockCacheProperties> properties,
            ObjectProvider<CacheKeyParts> keyParts) {
        this.operations = operations;
        this.properties = properties;
        this.keyParts = keyParts;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof CacheManager manager)
                || bean instanceof LockingCacheManager
                || bean instanceof NoOpCacheManager) {
            return bean;
        }
        LockCacheProperties settings = properties.getObject();
        LockingCacheManagerBuilder builder = LockingCacheManager.builder(manager, operations.getObject())
                .onTimeout(settings.onTimeout())
                .onStoreFailure(settings.onStoreFailure());
        keyParts.ifAvailable(builder::keyParts);
        return builder.build();
    }
}
