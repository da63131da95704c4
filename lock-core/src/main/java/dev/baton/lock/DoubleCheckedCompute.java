package dev.baton.lock;

import org.jspecify.annotations.Nullable;

/** Performs one call of {@link LockOperations#computeIfAbsent}, which defines the contract. */
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
        // a callback cannot declare all of L, C and S, which it throws; this method declares them
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
        // after a loss the next holder may have stored its own value; the end of the callback reports the loss
        if (computed != null && lease.isHeld()) {
            store.put(computed);
        }
        return computed;
    }
}
