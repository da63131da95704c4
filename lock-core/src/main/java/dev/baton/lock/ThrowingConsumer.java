package dev.baton.lock;

/**
 * Where a value is kept, so that a later look finds it: the store of {@link LockOperations#computeIfAbsent}.
 *
 * @param <T> the value
 * @param <E> the checked exception it declares, thrown on unwrapped
 */
@FunctionalInterface
public interface ThrowingConsumer<T, E extends Exception> {

    /**
     * Called in the caller's thread under the lock, whose {@linkplain Lease#fencingToken() token} the current lease of
     * {@link LockContext} has.
     *
     * @param value what was computed, never null
     */
    void put(T value) throws E;
}
