package dev.baton.lock.cache;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import java.util.function.UnaryOperator;
import org.springframework.cache.CacheManager;

/** Collects the settings of a {@link LockingCacheManager}. For use by one thread. */
public final class LockingCacheManagerBuilder {

    final CacheManager delegate;
    final LockOperations locks;
    CacheKeyParts keyParts = CacheKeyParts.standard();
    UnaryOperator<LockRequest> requests = UnaryOperator.identity();
    WithoutLock onTimeout = WithoutLock.FAIL;
    WithoutLock onStoreFailure = WithoutLock.FAIL;

    LockingCacheManagerBuilder(CacheManager delegate, LockOperations locks) {
        this.delegate = delegate;
        this.locks = locks;
    }

    /** Sets how the key of an entry becomes the key of its lock. Defaults to {@link CacheKeyParts#standard()}. */
    public LockingCacheManagerBuilder keyParts(CacheKeyParts keyParts) {
        this.keyParts = keyParts;
        return this;
    }

    /**
     * Changes each request before it is used: {@code request -> request.waitTime(ofSeconds(2))}. By default, lease and
     * wait time are those of the operations, and the lease is renewed while the loader runs.
     */
    public LockingCacheManagerBuilder requests(UnaryOperator<LockRequest> requests) {
        this.requests = requests;
        return this;
    }

    /**
     * Sets what happens to a load whose lock is busy for the whole wait time, because the other loader is slow or
     * hangs. Defaults to {@link WithoutLock#FAIL}.
     */
    public LockingCacheManagerBuilder onTimeout(WithoutLock onTimeout) {
        this.onTimeout = onTimeout;
        return this;
    }

    /**
     * Sets what happens to a load while the store of the locks is unavailable. Defaults to {@link WithoutLock#FAIL}: if
     * a resource is deliberately loaded once at a time, a failure of Redis must not make all processes load it at once.
     */
    public LockingCacheManagerBuilder onStoreFailure(WithoutLock onStoreFailure) {
        this.onStoreFailure = onStoreFailure;
        return this;
    }

    /** Creates the manager. */
    public LockingCacheManager build() {
        return new LockingCacheManager(this);
    }
}
