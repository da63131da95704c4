package dev.baton.lock.store;

import dev.baton.lock.LockNames;

/**
 * The identity of a lock: two requests with equal ones are about the same lock.
 *
 * @param namespace the nested namespace below the store's own; empty: none
 * @param name {@code scope.key}
 */
public record LockName(String namespace, String name) {

    /** For people: with control characters as {@link LockNames#printable} shows them. */
    @Override
    public String toString() {
        return LockNames.printable(namespace.isEmpty() ? name : namespace + ":" + name);
    }
}
