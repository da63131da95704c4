package dev.baton.lock.store;

import dev.baton.lock.LockNames;

/**
 * The identity of a lock: two requests with equal names are about the same lock.
 *
 * @param namespace the nested namespace below the store's own, or empty if there is none
 * @param name the name of the lock, {@code scope.key}
 */
public record LockName(String namespace, String name) {

    /** Returns the name as shown to people, with control characters as {@link LockNames#printable} shows them. */
    @Override
    public String toString() {
        return LockNames.printable(namespace.isEmpty() ? name : namespace + ":" + name);
    }
}
