package dev.baton.lock;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a lock is released that a thread acquires while a transaction is already active. Applies to work of
 * {@code execute} or {@code tryExecute}, after which the transaction would end. Passed to the builder of the
 * {@code LockTemplate}. Thread-safe.
 */
public interface TransactionRule {

    /**
     * Decides about a lock before the lock is requested.
     *
     * @param held whether the thread already holds the lock, so that the request is a re-entry; evaluated only if that
     *     matters
     * @return whether the lock is released when the active transaction completes, instead of when the work is done
     * @throws IllegalStateException if the lock must not be acquired
     */
    boolean outlastsWork(LockRequest request, BooleanSupplier held);

    /**
     * Registers a lease to be released when the active transaction of the thread completes; the loss of the lease
     * vetoes the commit.
     */
    void releaseAtCompletion(Lease lease);

    /**
     * Returns the request for such a lock, without {@link OnLost#INTERRUPT}: there is no end of the work at which an
     * interrupt could be cleared.
     */
    static LockRequest outlasting(LockRequest request) {
        return request.onLost() == OnLost.INTERRUPT ? request.onLost(OnLost.THROW) : request;
    }

    /** Runs work under a lease that is released when the active transaction completes, also if the work throws. */
    default <T extends @Nullable Object, E extends Exception> T callWith(Lease lease, LockCallback<T, E> work)
            throws E {
        try {
            releaseAtCompletion(lease);
        } catch (RuntimeException | Error ex) {
            lease.release();
            throw ex;
        }
        try (LockObserver.Scope scope = lease.openScope()) {
            try {
                return LockContext.callWith(lease, work);
            } catch (Throwable thrown) {
                scope.failed(thrown);
                throw thrown;
            }
        }
    }
}
