package dev.baton.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for: which lock, for how long, and how long to wait for it. Immutable, validated on creation.
 *
 * <p>What is null is taken from the {@link LockOperations} that it is given to ({@code baton.*} in an application).
 *
 * @param scope what kind of thing is locked; not blank, no braces, no control characters
 * @param keyParts which one; text as {@link LockKeyPart} makes it; never empty ({@code global} without a key)
 * @param namespace a nested namespace below the one of the operations; names separated by colons, no braces
 * @param expire length of the lease, 10 ms to ten years
 * @param waitTime bound on waiting for the grant
 * @param renew whether the lease is prolonged while the holder works
 * @param reentrant whether the same owner may take it again while it holds it; false: that fails at once with
 *     {@link LockDeadlockException}
 */
public record LockRequest(
        String scope,
        List<String> keyParts,
        @Nullable String namespace,
        @Nullable Duration expire,
        @Nullable WaitTime waitTime,
        Renewal renew,
        boolean reentrant) {

    /** The key of a scope that has just one lock. */
    public static final String GLOBAL = "global";

    public LockRequest {
        LockNames.checkScope(scope);
        if (keyParts.isEmpty()) {
            throw new IllegalArgumentException(
                    "scope '" + scope + "' has no key part; leave the key out for '" + GLOBAL + "'");
        }
        keyParts = List.copyOf(keyParts);
        keyParts.forEach(part -> LockKeyPart.of(part, "key part of scope '" + scope + "'"));
        if (namespace != null) {
            LockNames.checkNestedNamespace(namespace);
        }
        if (expire != null) {
            LockDurations.checkExpire(expire);
        }
    }

    /**
     * One lock: {@code of("server_access")} is {@code server_access.global}, {@code of("invoice", "acme", 7)} is
     * {@code invoice.acme:7}.
     *
     * @param parts as {@link LockKeyPart} accepts them
     * @throws IllegalArgumentException if the scope or a part cannot be used
     */
    public static LockRequest of(String scope, @Nullable Object... parts) {
        LockNames.checkScope(scope);
        List<String> texts = new ArrayList<>(Math.max(1, parts.length));
        for (int i = 0; i < parts.length; i++) {
            texts.add(LockKeyPart.of(parts[i], "key part " + (i + 1) + " of scope '" + scope + "'"));
        }
        if (texts.isEmpty()) {
            texts.add(GLOBAL);
        }
        return new LockRequest(scope, texts, null, null, null, Renewal.AUTO, true);
    }

    /** {@code scope.key}, the parts joined by colons; a colon or percent sign inside a part is percent-encoded. */
    public String name() {
        return LockNames.join(scope, keyParts);
    }

    /** The same in a namespace below the operations' own. */
    public LockRequest namespace(String namespace) {
        return new LockRequest(scope, keyParts, namespace, expire, waitTime, renew, reentrant);
    }

    /** The same with a lease of this length, which is a limit unless {@link Renewal#ALWAYS} is asked for. */
    public LockRequest expire(Duration expire) {
        return new LockRequest(scope, keyParts, namespace, expire, waitTime, renew, reentrant);
    }

    /** The same waiting at the most that long; zero does not wait. */
    public LockRequest waitTime(Duration waitTime) {
        return waitTime(WaitTime.of(waitTime));
    }

    /** The same with this bound on waiting. */
    public LockRequest waitTime(WaitTime waitTime) {
        return new LockRequest(scope, keyParts, namespace, expire, waitTime, renew, reentrant);
    }

    /** The same waiting without a bound. */
    public LockRequest waitUnbounded() {
        return waitTime(WaitTime.unbounded());
    }

    public LockRequest renew(Renewal renew) {
        return new LockRequest(scope, keyParts, namespace, expire, waitTime, renew, reentrant);
    }

    public LockRequest reentrant(boolean reentrant) {
        return new LockRequest(scope, keyParts, namespace, expire, waitTime, renew, reentrant);
    }
}
