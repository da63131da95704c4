package dev.baton.lock;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Says what becomes of a lock that a thread takes for work of {@code execute} or {@code tryExecute} while a transaction is already
 * active, which would end after the work. The builder of the {@code LockTemplate} is given one. Thread-safe.
 */
public interface TransactionRule {

    /**
     * Judges a lock before it is asked for.
     *
     * @param held whether the thread holds it already, so that it only takes it again; asked where that matters
     * @return whether the lock is given back when the active transaction completes, instead of when the work is done
     * @throws IllegalStateException if the lock is not to be taken
     */
    boolean outlastsWork(LockRequest request, BooleanSupplier held);

    /** Has a lease released when the active transaction of the thread completes, and its loss veto the commit. */
    void releaseAtCompletion(Lease lease);

    /** The request of such a lock: there is no end of the work at which an interrupt would be taken back. */
    static LockRequest outlasting(LockRequest request) {
        return request.onLost() == OnLost.INTERRUPT ? request.onLost(OnLost.THROW) : request;
    }

    /** Does work under a lease that is released when the active transaction completes, also if the work throws. */
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
