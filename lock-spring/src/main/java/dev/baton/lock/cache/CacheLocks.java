package dev.baton.lock.cache;

import dev.baton.lock.LockNames;
import dev.baton.lock.LockRequest;
import java.util.function.UnaryOperator;

/** The locks of one cache: {@code cache.<cache>.<key>}. */
final class CacheLocks {

    private final String cacheName;
    private final String scope;
    private final CacheKeyParts keyParts;
    private final UnaryOperator<LockRequest> requests;

    CacheLocks(String cacheName, CacheKeyParts keyParts, UnaryOperator<LockRequest> requests) {
        this.cacheName = cacheName;
        this.scope = LockNames.checkScope("cache." + cacheName);
        this.keyParts = keyParts;
        this.requests = requests;
    }

    LockRequest request(Object key) {
        return requests.apply(
                LockRequest.of(scope, keyParts.parts(cacheName, key).toArray()));
    }
}
