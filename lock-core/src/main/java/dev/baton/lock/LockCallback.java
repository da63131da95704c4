package dev.baton.lock;

import org.jspecify.annotations.Nullable;

/**
 * Work that is done while a lock is held.
 *
 * @param <T> what it returns; may be null
 * @param <E> the checked exception it declares, thrown on unwrapped
 */
@FunctionalInterface
public interface LockCallback<T extends @Nullable Object, E extends Exception> {

    /**
     * Called in the caller's thread once the lock is granted; the lock is released when it returns or throws.
     *
     * @param lease the grant; {@link Lease#isHeld()} tells long work whether it still has the lock
     */
    T doWithLock(Lease lease) throws E;
}
