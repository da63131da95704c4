package dev.baton.lock.cache;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import java.util.function.UnaryOperator;
import org.springframework.cache.CacheManager;

/** Collects what a {@link LockingCacheManager} is to do; for one thread. */
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

    /** How the key of an entry becomes the key of its lock; {@link CacheKeyParts#standard()} otherwise. */
    public LockingCacheManagerBuilder keyParts(CacheKeyParts keyParts) {
        this.keyParts = keyParts;
        return this;
    }

    /**
     * Changes each request before it is used: {@code request -> request.waitTime(ofSeconds(2))}. Otherwise lease and wait time
     * are those of the operations, and the lease is renewed while the loader runs.
     */
    public LockingCacheManagerBuilder requests(UnaryOperator<LockRequest> requests) {
        this.requests = requests;
        return this;
    }

    /**
     * What becomes of a load whose lock is busy for the whole wait time: the other loader is slow, or hangs.
     * {@link WithoutLock#FAIL} otherwise.
     */
    public LockingCacheManagerBuilder onTimeout(WithoutLock onTimeout) {
        this.onTimeout = onTimeout;
        return this;
    }

    /**
     * What becomes of a load while the store of the locks cannot be asked. {@link WithoutLock#FAIL} otherwise: a resource that
     * is loaded once at a time on purpose is not met by all processes at once just because Redis is down.
     */
    public LockingCacheManagerBuilder onStoreFailure(WithoutLock onStoreFailure) {
        this.onStoreFailure = onStoreFailure;
        return this;
    }

    /** Makes the manager. */
    public LockingCacheManager build() {
        return new LockingCacheManager(this);
    }
}
