package dev.baton.lock.interceptor;

import dev.baton.lock.LockMode;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockTarget;
import java.util.List;

/**
 * One of the declared locks of a method: the same lock for every call, or a scope and the expressions for its key.
 *
 * @param target the lock of every call; with expressions, its scope counts, and they replace its key, which is
 *     {@code global}
 * @param key SpEL expressions, each one part of the key; empty if every call has the same lock
 * @param mode whether the lock is shared with other readers
 */
public record DeclaredLock(LockTarget target, List<String> key, LockMode mode) {

    private static final List<String> GLOBAL = List.of(LockTarget.GLOBAL);

    /**
     * Checks the key.
     *
     * @throws IllegalArgumentException if there are expressions, and the target has a key, too
     */
    public DeclaredLock {
        key = List.copyOf(key);
        if (!key.isEmpty() && !target.keyParts().equals(GLOBAL)) {
            throw new IllegalArgumentException(
                    "key " + key + " and a request for '" + LockNames.printable(target.name())
                            + "' are both given; give the request a scope only, or leave the key out");
        }
    }

    /** Creates an exclusive lock. */
    public DeclaredLock(LockTarget target, List<String> key) {
        this(target, key, LockMode.EXCLUSIVE);
    }

    /** Returns the scope: the kind of thing that is locked. */
    public String scope() {
        return target.scope();
    }
}
