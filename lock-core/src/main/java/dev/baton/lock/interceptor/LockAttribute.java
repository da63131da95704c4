package dev.baton.lock.interceptor;

import dev.baton.lock.LockDurations;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTarget;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitTime;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a method as it was declared: what does not differ from call to call. Immutable.
 *
 * @param scope what kind of thing is locked, as {@link LockTarget#scope()}
 * @param key SpEL expressions, each a part of the key; empty: {@code global}
 * @param expire length of the lease, or null for the configured one
 * @param waitTime bound on waiting, or null for the configured one
 * @param renew whether the lease is prolonged while the method runs
 */
public record LockAttribute(
        String scope,
        List<String> key,
        @Nullable Duration expire,
        @Nullable WaitTime waitTime,
        Renewal renew) {

    /**
     * Creates the attribute.
     *
     * @throws IllegalArgumentException if the scope or the expire cannot be used
     */
    public LockAttribute {
        LockNames.checkScope(scope);
        key = List.copyOf(key);
        if (expire != null) {
            LockDurations.checkExpire(expire);
        }
    }

    /**
     * The request of one call.
     *
     * @param keyParts what the key expressions gave; empty: {@code global}
     */
    LockRequest request(List<String> keyParts) {
        List<String> parts = keyParts.isEmpty() ? List.of(LockRequest.GLOBAL) : keyParts;
        return LockRequest.of(scope, parts.toArray())
                .expire(expire)
                .waitTime(waitTime)
                .renew(renew);
    }
}
