package dev.baton.lock.autoconfigure;

import dev.baton.lock.cache.WithoutLock;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the locks around the loaders of caches. Immutable.
 *
 * @param enabled Whether a cache with sync = true loads a missing value only once across all processes. If true,
 *     every CacheManager bean is decorated.
 * @param onTimeout How to proceed if the lock of a value is busy for the whole wait time: 'fail', or 'load' the value
 *     without the lock.
 * @param onStoreFailure How to proceed while Redis cannot be asked for the lock of a value: 'fail', or 'load' the
 *     value without the lock.
 */
@ConfigurationProperties(LockCacheProperties.PREFIX)
public record LockCacheProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("fail") WithoutLock onTimeout,
        @DefaultValue("fail") WithoutLock onStoreFailure) {

    static final String PREFIX = "baton.cache";
}
