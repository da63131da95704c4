package dev.baton.lock;

import org.jspecify.annotations.Nullable;

/**
 * Where a value comes from: the look or the computation of {@link LockOperations#computeIfAbsent}.
 *
 * @param <T> the value; null means that there is none
 * @param <E> the checked exception it declares, thrown on unwrapped
 */
@FunctionalInterface
public interface ThrowingSupplier<T extends @Nullable Object, E extends Exception> {

    /** Called in the caller's thread: the first look without the lock, the second look and the computation under it. */
    T get() throws E;
}
