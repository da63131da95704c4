package dev.baton.lock;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes locks. Implemented by {@code LockTemplate}; small enough to be replaced in a test.
 *
 * <p>Thread-safe. The owner of a lock is the calling thread: it may take it again (no command, unless the lease must be longer), others
 * wait. What a lock promises, and under which faults, stands in {@code docs/guarantees.md}: in short, a lease can be
 * lost while the work goes on (Redis lost its data, or could not be asked before the lease ended), and then the holder is
 * told.
 */
public interface LockOperations {

    /**
     * Waits for the lock, does the work, and releases the lock.
     *
     * @return what the work returned
     * @throws LockTimeoutException if the lock was not granted within the wait time; the work was not done
     * @throws LockInterruptedException if the thread was interrupted while it waited; its interrupt flag is set
     * @throws LockDeadlockException if this owner holds the lock and the request is not re-entrant
     * @throws LockStoreException if the store could not be asked; the work was not done
     * @throws LockLostException if the lease was lost before the work was done; carries its result. If the work threw,
     *     its exception is thrown and this one added to it as suppressed
     * @throws E what the work threw, unwrapped
     */
    <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> action)
            throws E;

    /** As {@link #execute(LockRequest, LockCallback)} for {@code LockRequest.of(scope, key)}. */
    default <T extends @Nullable Object, E extends Exception> T execute(
            String scope, Object key, LockCallback<T, E> action) throws E {
        return execute(LockRequest.of(scope, key), action);
    }

    /** As {@link #execute(LockRequest, LockCallback)} for work that returns nothing. */
    default <E extends Exception> void executeWithoutResult(LockRequest request, LockRunnable<E> action) throws E {
        execute(request, lease -> {
            action.doWithLock(lease);
            return lease;
        });
    }

    /** As {@link #executeWithoutResult(LockRequest, LockRunnable)} for {@code LockRequest.of(scope, key)}. */
    default <E extends Exception> void executeWithoutResult(String scope, Object key, LockRunnable<E> action) throws E {
        executeWithoutResult(LockRequest.of(scope, key), action);
    }

    /**
     * Does the work if the lock can be had, without waiting unless the request itself has a wait time.
     *
     * @return what was done; {@link LockResult.Busy} instead of a {@link LockTimeoutException}
     * @throws LockInterruptedException as {@link #execute(LockRequest, LockCallback)} does
     * @throws LockDeadlockException as {@link #execute(LockRequest, LockCallback)} does
     * @throws LockStoreException as {@link #execute(LockRequest, LockCallback)} does
     * @throws LockLostException as {@link #execute(LockRequest, LockCallback)} does
     */
    <T extends @Nullable Object, E extends Exception> LockResult<T> tryExecute(
            LockRequest request, LockCallback<T, E> action) throws E;

    /**
     * Waits for the lock and returns its lease, which the caller closes: {@code try (Lease lease = acquire(request))}.
     *
     * @throws LockTimeoutException as {@link #execute(LockRequest, LockCallback)} does
     * @throws LockInterruptedException as {@link #execute(LockRequest, LockCallback)} does
     * @throws LockDeadlockException as {@link #execute(LockRequest, LockCallback)} does
     * @throws LockStoreException as {@link #execute(LockRequest, LockCallback)} does
     * @throws LockLostException if this owner held the lock already and has lost it meanwhile
     */
    Lease acquire(LockRequest request);

    /**
     * Returns the lease if the lock can be had, without waiting unless the request itself has a wait time.
     *
     * @return empty instead of a {@link LockTimeoutException}; other exceptions as {@link #acquire(LockRequest)}
     */
    Optional<Lease> tryAcquire(LockRequest request);

    /**
     * Returns operations whose locks are apart from these: {@code lock} becomes {@code lock:orders}. Nests.
     *
     * @param namespace names separated by colons, no braces
     */
    LockOperations withNamespace(String namespace);
}
