package dev.baton.lock.cache;

import dev.baton.lock.LockException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.ThrowingSupplier;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cache.Cache;
import org.springframework.cache.Cache.ValueWrapper;

/** Loads a missing entry under its lock, or as the settings specify if the lock cannot be acquired. */
final class LockedLoading {

    private static final Logger log = LoggerFactory.getLogger(LockingCacheManager.class);

    private final LockOperations locks;
    private final WithoutLock onTimeout;
    private final WithoutLock onStoreFailure;

    /**
     * Set at the first load without a lock, and cleared at the next load with a lock, so that an outage is logged once.
     */
    private final AtomicBoolean said = new AtomicBoolean();

    LockedLoading(LockOperations locks, WithoutLock onTimeout, WithoutLock onStoreFailure) {
        this.locks = locks;
        this.onTimeout = onTimeout;
        this.onStoreFailure = onStoreFailure;
    }

    /**
     * Returns the value in the cache, or else the value of the loader.
     *
     * @param loader throws the exceptions that {@link Cache#get(Object, java.util.concurrent.Callable)} is to throw
     */
    // the look may return null, which NullAway does not see because the nullness of type arguments is unknown
    @SuppressWarnings("NullAway")
    ValueWrapper get(
            Cache cache, Object key, LockRequest request, ThrowingSupplier<ValueWrapper, RuntimeException> loader) {
        try {
            // other threads find the value in the cache regardless of the outcome of this thread's transaction, so
            // ignore it
            return locks.ignoringTransactions()
                    .computeIfAbsent(
                            request,
                            () -> cache.get(key),
                            () -> underLock(loader),
                            value -> cache.put(key, value.get()));
        } catch (LockLostException ex) {
            if (ex.result() instanceof ValueWrapper loaded) {
                log.warn(
                        "A value for cache '{}' was loaded too late to be stored: {}",
                        cache.getName(),
                        ex.getMessage());
                return loaded;
            }
            throw ex;
        } catch (LockTimeoutException ex) {
            return withoutLock(onTimeout, ex, cache, key, loader);
        } catch (LockStoreException ex) {
            return withoutLock(onStoreFailure, ex, cache, key, loader);
        }
    }

    private ValueWrapper underLock(ThrowingSupplier<ValueWrapper, RuntimeException> loader) {
        said.set(false);
        return loader.get();
    }

    private ValueWrapper withoutLock(
            WithoutLock what,
            LockException why,
            Cache cache,
            Object key,
            ThrowingSupplier<ValueWrapper, RuntimeException> loader) {
        if (what == WithoutLock.FAIL) {
            throw why;
        }
        if (said.compareAndSet(false, true)) {
            log.warn("Values are loaded without a lock until locks can be acquired again: {}", why.getMessage());
        }
        // the holder of the lock may have put the value just before this thread stopped waiting: look again
        ValueWrapper found = cache.get(key);
        if (found != null) {
            return found;
        }
        ValueWrapper loaded = loader.get();
        cache.put(key, loaded.get());
        return loaded;
    }
}
