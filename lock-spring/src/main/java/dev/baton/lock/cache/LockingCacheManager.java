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
 * Lets {@code @Cacheable(sync = true)} load a missing value once across all processes, instead of once in each. Wraps
 * the caches of any {@code CacheManager} that the processes share, and adds a lock per entry to their loaders.
 *
 * <pre>{@code
 * @Bean
 * CacheManager cacheManager(RedisConnectionFactory redis, LockOperations locks) {
 *     return LockingCacheManager.of(RedisCacheManager.create(redis), locks);
 * }
 * }</pre>
 *
 * <p>Only {@link Cache#get(Object, java.util.concurrent.Callable)} of a missing entry acquires a lock, as in
 * {@link LockOperations#computeIfAbsent}: look, lock {@code cache.<cache>.<key>}, look again, load, put, release. An
 * existing value costs nothing, and a missing value costs one additional look. All other operations pass through, so
 * {@code @Cacheable} without {@code sync}, {@code @CachePut} and {@code @CacheEvict} behave as before.
 *
 * <ul>
 *   <li><b>Null</b> that the cache has stored is a value and is not loaded again. A cache that does not accept null
 *       rejects the null of a loader as usual, with its own exception.
 *   <li><b>A loader that fails</b> releases the lock and stores nothing. Its exception is the cause of a
 *       {@link Cache.ValueRetrievalException}, which {@code @Cacheable} unwraps. The next waiter tries in its turn.
 *   <li><b>A cache that fails</b> to look or to put throws its own exception, and the lock is released. If the look
 *       fails, no lock is acquired and nothing is loaded.
 *   <li><b>A lock that cannot be acquired</b>, because it is busy for the whole wait time or its store is unavailable,
 *       throws {@code LockTimeoutException} or {@code LockStoreException}. Nothing is loaded then, unless the
 *       {@linkplain LockingCacheManagerBuilder builder} specifies {@link WithoutLock#LOAD}. Spring passes these
 *       exceptions and those of the cache to the application's {@code CacheErrorHandler}. If that handler swallows an
 *       exception, the value is loaded.
 *   <li><b>A lease that is lost</b> while the value is loaded: the value is returned and not put, and a warning is
 *       logged.
 *   <li><b>A transaction</b>: the value is put at once, even by a cache that otherwise puts after the commit. Spring's
 *       own decorator does the same.
 *   <li><b>Futures and publishers</b> under {@code sync = true} are rejected
 *       ({@link Cache#retrieve(Object, java.util.function.Supplier)} throws {@code UnsupportedOperationException}),
 *       because their value arrives after the call has returned.
 * </ul>
 *
 * <p>A loader may acquire the locks of other entries. Two loaders that do so crosswise wait for each other until the
 * wait time ends. Thread-safe.
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

    /** Creates a manager as {@code builder(delegate, locks).build()} does. */
    public static LockingCacheManager of(CacheManager delegate, LockOperations locks) {
        return builder(delegate, locks).build();
    }

    /**
     * Starts a builder of a manager whose caches are those of another manager.
     *
     * @param delegate the manager that has the values; there is little benefit unless the processes share it
     * @param locks the operations that acquire the locks
     */
    public static LockingCacheManagerBuilder builder(CacheManager delegate, LockOperations locks) {
        return new LockingCacheManagerBuilder(delegate, locks);
    }

    /** Returns the manager whose caches this manager wraps. */
    public CacheManager delegate() {
        return delegate;
    }

    /** Initializes the delegate, which is not a bean itself if it is created where this manager is created. */
    @Override
    public void afterPropertiesSet() throws Exception {
        if (delegate instanceof InitializingBean bean) {
            bean.afterPropertiesSet();
        }
    }

    /**
     * Returns the delegate's cache with a lock around its loaders.
     *
     * @throws IllegalArgumentException if the name cannot be part of a scope because it has braces or control
     *     characters
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
