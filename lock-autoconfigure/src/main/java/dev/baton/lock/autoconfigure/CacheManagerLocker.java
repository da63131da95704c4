package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockOperations;
import dev.baton.lock.cache.CacheKeyParts;
import dev.baton.lock.cache.LockingCacheManager;
import dev.baton.lock.cache.LockingCacheManagerBuilder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cache.CacheManager;
import org.springframework.cache.support.NoOpCacheManager;

/** Puts a {@link LockingCacheManager} in place of each cache manager that is none, but for the one that caches nothing. */
final class CacheManagerLocker implements BeanPostProcessor {

    private final ObjectProvider<LockOperations> operations;
    private final ObjectProvider<LockCacheProperties> properties;
    private final ObjectProvider<CacheKeyParts> keyParts;

    /** All are resolved with the first cache manager: a post-processor is made before what it needs could be processed. */
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
