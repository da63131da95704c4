package dev.baton.lock;

/**
 * Stores a value, so that a later look finds it: the store of {@link LockOperations#computeIfAbsent}.
 *
 * @param <T> the type of the value
 * @param <E> the checked exception that the function declares, rethrown unwrapped
 */
@FunctionalInterface
public interface ThrowingConsumer<T, E extends Exception> {

    /**
     * Stores the value. Called in the caller's thread under the lock; the current lease of {@link LockContext} has its
     * {@linkplain Lease#fencingToken() fencing token}.
     *
     * @param value the computed value, never {@code null}
     */
    void put(T value) throws E;
}
