package dev.baton.lock;

import org.jspecify.annotations.Nullable;

/**
 * Supplies a value: the look or the computation of {@link LockOperations#computeIfAbsent}.
 *
 * @param <T> the type of the value; {@code null} means that there is none
 * @param <E> the checked exception that the function declares, rethrown unwrapped
 */
@FunctionalInterface
public interface ThrowingSupplier<T extends @Nullable Object, E extends Exception> {

    /**
     * Returns the value. Called in the caller's thread: the first look without the lock, the second look and the
     * computation under the lock.
     */
    T get() throws E;
}
