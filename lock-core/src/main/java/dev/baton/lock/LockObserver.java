package dev.baton.lock;

import org.jspecify.annotations.Nullable;

/**
 * Goes along with whole executions, the wait and the work under the lock: {@code execute}, {@code tryExecute} and {@code executeAsync},
 * re-entries too, and so {@code @DistributedLock}. For tracing. Thread-safe; what it throws reaches the caller, so it must not throw.
 */
@FunctionalInterface
public interface LockObserver {

    /** An execution begins; called in the thread that asks, before anything is asked for. */
    Execution begin(LockRequest request);

    /** One execution. Its methods are called one after the other, perhaps in different threads. */
    interface Execution {

        /** Makes this execution the current one of the thread: around wait and work, or of asynchronous work around its call. */
        Scope open();

        /** The lock is held, and the work begins. */
        void granted(Lease lease);

        /**
         * All is over, and the lock given back.
         *
         * @param failure what the caller is thrown, or told instead of a result; null: nothing
         */
        void ended(@Nullable Throwable failure);
    }

    /** Ends in the thread in which it was opened. */
    interface Scope extends AutoCloseable {

        @Override
        void close();
    }
}
