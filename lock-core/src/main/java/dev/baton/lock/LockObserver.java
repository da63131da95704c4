package dev.baton.lock;

import org.jspecify.annotations.Nullable;

/**
 * Observes every lock acquisition, from before the request until the lock is released or lost, for tracing. Covers
 * {@code execute}, {@code tryExecute} and {@code executeAsync}, and therefore {@code @DistributedLock}. Covers each
 * lease of {@code acquire}, {@code tryAcquire}, {@code acquireAsync} and {@link Lease#renewOrReacquire}, and
 * re-entries, too. Thread-safe; must not throw.
 */
@FunctionalInterface
public interface LockObserver {

    /** Starts the observation of a request. Called in the requesting thread, before the lock is requested. */
    Execution begin(LockRequest request);

    /** One observed acquisition. Its methods are called one after the other, perhaps in different threads. */
    interface Execution {

        /**
         * Makes this execution the current one of the thread. Called around the wait of a waiting thread and the work
         * of {@code execute}, around the call of asynchronous work, and by {@link Lease#openScope()}.
         */
        Scope open();

        /** The lock is held, and the work begins. */
        void granted(Lease lease);

        /**
         * The execution is over, and the lock was released or lost; called once.
         *
         * @param failure the exception that the caller receives, thrown or instead of a result, or {@code null} if
         *     there is none. Also the time-out if the caller gets {@code Busy} or an empty result. For a lease, the
         *     failure passed to {@link Scope#failed}, or the {@link LockLostException} if the lease was lost, unless
         *     the request uses {@link OnLost#LOG}
         */
        void ended(@Nullable Throwable failure);
    }

    /** The period in which an execution is the current one of a thread. Closed in the thread that opened it. */
    interface Scope extends AutoCloseable {

        /**
         * Records that the work under the lease has failed; reported when the observation ends. Not needed for
         * {@code execute} and the like, which know the failure anyway.
         */
        default void failed(Throwable failure) {}

        @Override
        void close();
    }
}
