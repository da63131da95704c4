package dev.baton.lock;

import org.jspecify.annotations.Nullable;

/**
 * Goes along with every lock that is taken, from before it is asked for until it is given back or lost: with {@code execute},
 * {@code tryExecute} and {@code executeAsync}, and so {@code @DistributedLock}, and with each lease of {@code acquire}, {@code tryAcquire},
 * {@code acquireAsync} and {@link Lease#renewOrReacquire}; re-entries too. For tracing. Thread-safe; must not throw.
 */
@FunctionalInterface
public interface LockObserver {

    /** A lock is wanted; called in the thread that asks, before anything is asked for. */
    Execution begin(LockRequest request);

    /** One of them. Its methods are called one after the other, perhaps in different threads. */
    interface Execution {

        /**
         * Makes this execution the current one of the thread: around the wait of a thread that waits and the work of {@code execute},
         * around the call of asynchronous work, and where {@link Lease#openScope()} is called.
         */
        Scope open();

        /** The lock is held, and the work begins. */
        void granted(Lease lease);

        /**
         * All is over, and the lock given back or lost; called once.
         *
         * @param failure what the caller is thrown, or told instead of a result, the time-out also where that is {@code Busy} or
         *     empty; of a lease the {@link LockLostException} if it was lost, unless the request is with {@link OnLost#LOG}, or
         *     what {@link Scope#failed} was told; null: nothing
         */
        void ended(@Nullable Throwable failure);
    }

    /** Ends in the thread in which it was opened. */
    interface Scope extends AutoCloseable {

        /** The work that the lease is for has failed; told at its end. Of {@code execute} and the like that is known anyway. */
        default void failed(Throwable failure) {}

        @Override
        void close();
    }
}
