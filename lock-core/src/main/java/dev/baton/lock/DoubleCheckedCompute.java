package dev.baton.lock;

import org.jspecify.annotations.Nullable;

/** One call of {@link LockOperations#computeIfAbsent}; its contract stands there. */
final class DoubleCheckedCompute<
        T extends @Nullable Object, L extends Exception, C extends Exception, S extends Exception> {

    private final ThrowingSupplier<? extends @Nullable T, L> look;
    private final ThrowingSupplier<? extends T, C> compute;
    private final ThrowingConsumer<? super T, S> store;

    DoubleCheckedCompute(
            ThrowingSupplier<? extends @Nullable T, L> look,
            ThrowingSupplier<? extends T, C> compute,
            ThrowingConsumer<? super T, S> store) {
        this.look = look;
        this.compute = compute;
        this.store = store;
    }

    T run(LockOperations locks, LockRequest request) throws L, C, S {
        T found = look.get();
        if (found != null) {
            return found;
        }
        LockCallback<T, Exception> underLock = this::lookAgain;
        // what it throws are L, C and S, which a callback has no place for, and which this method declares
        @SuppressWarnings("unchecked")
        LockCallback<T, S> callback = (LockCallback<T, S>) (LockCallback<T, ?>) underLock;
        return locks.execute(request, callback);
    }

    private T lookAgain(Lease lease) throws L, C, S {
        T found = look.get();
        if (found != null) {
            return found;
        }
        T computed = compute.get();
        // who has the lock by now may have stored its own; the end of the callback reports the loss
        if (computed != null && lease.isHeld()) {
            store.put(computed);
        }
        return computed;
    }
}
