package dev.baton.lock.store;

import dev.baton.lock.LockNames;

/**
 * The identity of a lock or a semaphore: two requests with equal names are about the same one.
 *
 * @param namespace the nested namespace below the store's own, or empty if there is none
 * @param name the name of the lock, {@code scope.key}
 * @param semaphore whether this is the semaphore of that name, whose permits are granted, and not the lock
 */
public record LockName(String namespace, String name, boolean semaphore) {

    /** Creates the name of a lock. */
    public LockName(String namespace, String name) {
        this(namespace, name, false);
    }

    /** Returns the name as shown to people, with control characters as {@link LockNames#printable} shows them. */
    @Override
    public String toString() {
        return LockNames.printable(namespace.isEmpty() ? name : namespace + ":" + name);
    }
}
