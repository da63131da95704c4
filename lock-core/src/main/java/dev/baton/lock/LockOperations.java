package dev.baton.lock;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes locks. Implemented by {@code LockTemplate}; small enough to be replaced in a test.
 *
 * <p>Thread-safe. The owner of a lock is the calling thread, or what the request names as {@link LockRequest#owner() owner}:
 * it may take the lock again (no command, unless the lease must be longer), others wait. What a lock promises, and under which
 * faults, stands in {@code docs/guarantees.md}: in short, a lease can be lost while the work goes on (Redis lost its data, or
 * could not be asked before the lease ended), and then the holder is told.
 */
public interface LockOperations extends AsyncLockOperations, LockInspection {

    /**
     * Waits for the lock, does the work, and releases the lock. Inside a transaction which is already active, the
     * {@link TransactionRule} says what happens, if there is one ({@code baton.in-transaction}).
     *
     * @return what the work returned
     * @throws LockTimeoutException if the lock was not granted within the wait time, or the same holder kept it for the stall
     *     time; the work was not done
     * @throws LockInterruptedException if the thread was interrupted while it waited; its interrupt flag is set
     * @throws LockDeadlockException if this owner holds the lock and the request is not re-entrant
     * @throws LockStoreException if the store could not be asked; the work was not done. A wait that is shorter than the store takes to
     *     answer ends with a {@link LockTimeoutException}, unless the store could not be reached
     * @throws LockLimitException if too many requests of this process wait already; the work was not done
     * @throws LockLostException if the lease was lost before the work was done; carries its result. If the work threw,
     *     its exception is thrown and this one added to it as suppressed. Inside a transaction that outlasts the work it comes
     *     from the commit instead, without the result. With {@link OnLost#LOG} only if the lease was lost before
     *     the work began
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
     * @throws LockLostException if it is asked for by work under a lease of the same lock and owner that was lost
     * @throws IllegalArgumentException if the request is with {@link OnLost#INTERRUPT}: there is no work to interrupt
     */
    Lease acquire(LockRequest request);

    /**
     * Returns the lease if the lock can be had, without waiting unless the request itself has a wait time.
     *
     * @return empty instead of a {@link LockTimeoutException}; other exceptions as {@link #acquire(LockRequest)}
     */
    Optional<Lease> tryAcquire(LockRequest request);

    /**
     * Whether the calling thread holds all of these locks already, so that it takes them again: in work of {@code execute} or
     * {@code @DistributedLock} at any depth, or by a lease that it has acquired and that is not given back. Of a request that names an
     * owner: whether the thread does work under a lease of that owner. Asks no store.
     *
     * <p>Operations that do not override it know the leases of {@link LockContext}, by their names only.
     */
    default boolean isHeldByCurrentThread(LockRequest request) {
        return request.namespace() == null
                && request.owner() == null
                && LockContext.leases().stream().anyMatch(lease -> lease.names().containsAll(request.names()));
    }

    /**
     * Looks for a value and, if there is none, has it computed and stored by one caller at a time:
     * {@code computeIfAbsent(request, this::lookup, this::compute, this::store)}.
     *
     * <p>Looks without the lock, and returns what it finds. Otherwise waits for the lock, <em>always</em> looks again,
     * computes, stores, releases, and returns what it has computed. Who waited meanwhile finds the value at its
     * second look and computes nothing. The store must be visible to the look of every process when it returns.
     *
     * <p>Where it ends early, nothing more is called and the lock is released:
     * <ul>
     *   <li>a value that is null is absent: null from {@code compute} is returned and not stored, so that the next caller
     *       computes again. To remember that there is none, let the value say so ({@code Optional}, a constant);
     *   <li>what {@code look}, {@code compute} or {@code store} throws is thrown unwrapped;
     *   <li>a lease that is over when {@code compute} returns stores nothing: who has the lock by then may have stored
     *       another value. A lease that was lost is a {@link LockLostException} with the computed value as its
     *       result, also if it is lost while {@code store} runs, in which case the value may have been stored.
     * </ul>
     *
     * <p>It does not protect against a value that is removed and computed again while a slow caller still computes the
     * old one under a lease that it does not know to be lost; for that, store with the
     * {@linkplain Lease#fencingToken() fencing token}.
     *
     * @param look returns the value, or null if there is none; called once or twice
     * @param compute makes the value; called at most once
     * @param store keeps what {@code compute} returned, if not null; called at most once
     * @return what was found or computed; null only if {@code compute} returned null
     * @throws LockTimeoutException if the lock was not granted within the wait time; nothing was computed
     * @throws LockInterruptedException as {@link #execute(LockRequest, LockCallback)} does
     * @throws LockDeadlockException as {@link #execute(LockRequest, LockCallback)} does
     * @throws LockStoreException if the lock's store could not be asked; nothing was computed
     * @throws LockLostException if the lease was lost; its result is the computed value
     * @throws L what {@code look} threw
     * @throws C what {@code compute} threw
     * @throws S what {@code store} threw
     */
    default <T extends @Nullable Object, L extends Exception, C extends Exception, S extends Exception>
            T computeIfAbsent(
                    LockRequest request,
                    ThrowingSupplier<? extends @Nullable T, L> look,
                    ThrowingSupplier<? extends T, C> compute,
                    ThrowingConsumer<? super T, S> store)
                    throws L, C, S {
        return new DoubleCheckedCompute<T, L, C, S>(look, compute, store).run(this, request);
    }

    /**
     * Returns operations whose locks are apart from these: {@code lock} becomes {@code lock:orders}. Nests.
     *
     * @param namespace names separated by colons, no braces
     */
    LockOperations withNamespace(String namespace);

    /**
     * Returns operations whose {@code execute} and {@code tryExecute} give the lock back when the work is done, also inside a transaction
     * which is already active: for work whose effect others see at once, whatever becomes of that transaction. Operations to which
     * transactions mean nothing return themselves. Operations that delegate to others override it, and
     * {@link #isHeldByCurrentThread}.
     */
    default LockOperations ignoringTransactions() {
        return this;
    }

    /**
     * What is the same for all locks of one scope, said once: {@code scope("server_access").expire(ofSeconds(10))}.
     *
     * @throws IllegalArgumentException if the scope cannot be used
     */
    default LockScope scope(String scope) {
        return LockScope.of(this, scope);
    }

    /**
     * The lock as a {@link java.util.concurrent.locks.Lock}; nothing is asked for yet.
     *
     * @throws IllegalArgumentException if the request names an owner: a mutex belongs to the thread that takes it
     */
    default DistributedMutex mutex(LockRequest request) {
        return new DistributedMutex(this, request);
    }
}
