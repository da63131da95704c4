package dev.baton.lock.cache;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.support.SimpleValueWrapper;
import org.springframework.cache.transaction.TransactionAwareCacheDecorator;

/** Runs the loaders of a cache under a lock, and delegates everything else. */
final class LockingCache implements Cache {

    private final Cache delegate;
    private final Cache target;
    private final CacheLocks locks;
    private final LockedLoading loading;

    LockingCache(Cache delegate, CacheLocks locks, LockedLoading loading) {
        this.delegate = delegate;
        // a put that waits for the commit would happen after the release, too late for the next holder to see the value
        this.target =
                delegate instanceof TransactionAwareCacheDecorator decorator ? decorator.getTargetCache() : delegate;
        this.locks = locks;
        this.loading = loading;
    }

    Cache delegate() {
        return delegate;
    }

    @Override
    @SuppressWarnings("unchecked") // as in every cache: the value under the key is that of the loader
    public <T> @Nullable T get(Object key, Callable<T> valueLoader) {
        return (T) loading.get(target, key, locks.request(key), () -> load(key, valueLoader))
                .get();
    }

    private static ValueWrapper load(Object key, Callable<?> valueLoader) {
        try {
            return new SimpleValueWrapper(valueLoader.call());
        } catch (Exception ex) {
            throw new ValueRetrievalException(key, valueLoader, ex);
        }
    }

    @Override
    public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> valueLoader) {
        throw new UnsupportedOperationException("cache '" + getName()
                + "' loads values under a lock, which is not possible for a CompletableFuture, Mono or Flux: return the value"
                + " itself, remove sync = true, or use a CacheManager that is not a LockingCacheManager");
    }

    @Override
    public String getName() {
        return delegate.getName();
    }

    @Override
    public Object getNativeCache() {
        return delegate.getNativeCache();
    }

    @Override
    public @Nullable ValueWrapper get(Object key) {
        return delegate.get(key);
    }

    @Override
    public <T> @Nullable T get(Object key, @Nullable Class<T> type) {
        return delegate.get(key, type);
    }

    @Override
    public @Nullable CompletableFuture<?> retrieve(Object key) {
        return delegate.retrieve(key);
    }

    @Override
    public void put(Object key, @Nullable Object value) {
        delegate.put(key, value);
    }

    @Override
    public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
        return delegate.putIfAbsent(key, value);
    }

    @Override
    public void evict(Object key) {
        delegate.evict(key);
    }

    @Override
    public boolean evictIfPresent(Object key) {
        return delegate.evictIfPresent(key);
    }

    @Override
    public void clear() {
        delegate.clear();
    }

    @Override
    public boolean invalidate() {
        return delegate.invalidate();
    }
}
