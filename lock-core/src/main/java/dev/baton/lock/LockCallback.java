package dev.baton.lock;

import org.jspecify.annotations.Nullable;

/**
 * Work that runs while a lock is held.
 *
 * @param <T> the result of the work; may be {@code null}
 * @param <E> the checked exception that the work declares, rethrown unwrapped
 */
@FunctionalInterface
public interface LockCallback<T extends @Nullable Object, E extends Exception> {

    /**
     * Runs the work. Called in the caller's thread once the lock is granted; the lock is released when this method
     * returns or throws.
     *
     * @param lease the grant; long work can check {@link Lease#isHeld()} to see whether it still holds the lock
     */
    T doWithLock(Lease lease) throws E;
}
