package dev.baton.lock.cache;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;

/**
 * Has {@code @Cacheable(sync = true)} load a missing value once over all processes, instead of once in each: the caches of
 * any {@code CacheManager} that the processes share, with a lock per entry around their loaders.
 *
 * <pre>{@code
 * @Bean
 * CacheManager cacheManager(RedisConnectionFactory redis, LockOperations locks) {
 *     return LockingCacheManager.of(RedisCacheManager.create(redis), locks);
 * }
 * }</pre>
 *
 * <p>What is locked is {@link Cache#get(Object, java.util.concurrent.Callable)} of an entry that is not there, as
 * {@link LockOperations#computeIfAbsent} does it: look, lock {@code cache.<cache>.<key>}, look again, load, put, release. A
 * value that is there costs nothing, and everything else passes through, so {@code @Cacheable} without {@code sync},
 * {@code @CachePut} and {@code @CacheEvict} are as before. A missing value costs one look more.
 *
 * <ul>
 *   <li><b>Null</b> that the cache has stored is a value and not loaded again. A cache that takes no null refuses the null
 *       of a loader as it always does, with its own exception.
 *   <li><b>A loader that fails</b> releases the lock and stores nothing; its exception is the cause of a
 *       {@link Cache.ValueRetrievalException}, which {@code @Cacheable} unwraps. Who waited tries in its turn.
 *   <li><b>A cache that fails</b> to look or to put throws its own exception, and the lock is released. Without a look there
 *       is no lock and no loading.
 *   <li><b>A lock that cannot be had</b>, because it is busy for the whole wait time or its store cannot be asked, throws
 *       {@code LockTimeoutException} or {@code LockStoreException} and nothing is loaded, unless the
 *       {@linkplain LockingCacheManagerBuilder builder} says {@link WithoutLock#LOAD}. Of these and of the cache's own
 *       exceptions Spring asks the application's {@code CacheErrorHandler}; one that swallows them has the value loaded.
 *   <li><b>A lease that is lost</b> while the value is loaded: the value is returned and not put, and a warning says so.
 *   <li><b>A transaction</b>: the value is put at once, also by a cache that puts after the commit otherwise; so does
 *       Spring's own.
 *   <li><b>Futures and publishers</b> under {@code sync = true} are refused
 *       ({@link Cache#retrieve(Object, java.util.function.Supplier)} throws {@code UnsupportedOperationException}): their value comes
 *       when the call has returned.
 * </ul>
 *
 * <p>A loader may take other entries' locks; two that do so crosswise wait for each other until the wait time ends.
 * Thread-safe.
 */
public final class LockingCacheManager implements CacheManager, InitializingBean {

    private final CacheManager delegate;
    private final LockedLoading loading;
    private final CacheKeyParts keyParts;
    private final UnaryOperator<LockRequest> requests;
    private final ConcurrentHashMap<String, LockingCache> caches = new ConcurrentHashMap<>();

    LockingCacheManager(LockingCacheManagerBuilder builder) {
        this.delegate = builder.delegate;
        this.loading = new LockedLoading(builder.locks, builder.onTimeout, builder.onStoreFailure);
        this.keyParts = builder.keyParts;
        this.requests = builder.requests;
    }

    /** As {@code builder(delegate, locks).build()}. */
    public static LockingCacheManager of(CacheManager delegate, LockOperations locks) {
        return builder(delegate, locks).build();
    }

    /**
     * Begins a manager whose caches are those of another.
     *
     * @param delegate where the values are; shared by the processes, or there is little to gain
     * @param locks where the locks are taken
     */
    public static LockingCacheManagerBuilder builder(CacheManager delegate, LockOperations locks) {
        return new LockingCacheManagerBuilder(delegate, locks);
    }

    /** The manager whose caches these are. */
    public CacheManager getDelegate() {
        return delegate;
    }

    /** As the delegate's, which is no bean itself if it is made where this is. */
    @Override
    public void afterPropertiesSet() throws Exception {
        if (delegate instanceof InitializingBean bean) {
            bean.afterPropertiesSet();
        }
    }

    /**
     * Returns the delegate's cache with the lock around its loaders.
     *
     * @throws IllegalArgumentException if the name cannot stand in a scope: it has braces or control characters
     */
    @Override
    public @Nullable Cache getCache(String name) {
        Cache cache = delegate.getCache(name);
        if (cache == null || cache instanceof LockingCache) {
            return cache;
        }
        // the delegate may have replaced its cache
        return caches.compute(
                name,
                (same, known) -> known != null && known.delegate() == cache
                        ? known
                        : new LockingCache(cache, new CacheLocks(name, keyParts, requests), loading));
    }

    @Override
    public Collection<String> getCacheNames() {
        return delegate.getCacheNames();
    }

    @Override
    public void resetCaches() {
        delegate.resetCaches();
    }

    @Override
    public String toString() {
        return "LockingCacheManager over " + delegate;
    }
}
