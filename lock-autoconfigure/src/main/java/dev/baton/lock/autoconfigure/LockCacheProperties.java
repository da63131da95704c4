package dev.baton.lock.autoconfigure;

import dev.baton.lock.cache.WithoutLock;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application can set for its caches. Immutable.
 *
 * @param enabled Whether a cache with sync = true loads a missing value once over all processes. If true, every
 *     CacheManager bean is decorated.
 * @param onTimeout What becomes of a value whose lock is busy for the whole wait time: 'fail' or 'load', without the lock.
 * @param onStoreFailure What becomes of a value while Redis cannot be asked for the lock: 'fail' or 'load', without the lock.
 */
@ConfigurationProperties(LockCacheProperties.PREFIX)
public record LockCacheProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("fail") WithoutLock onTimeout,
        @DefaultValue("fail") WithoutLock onStoreFailure) {

    static final String PREFIX = "baton.cache";
}
