package dev.baton.lock;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Central interface for acquiring locks. Implemented by {@code LockTemplate}; small enough to be replaced in a test.
 *
 * <p>Thread-safe. The owner of a lock is the calling thread, or the {@link LockRequest#owner() owner} that the request
 * names. The owner may acquire the lock again (without a command, unless the lease must be longer); other owners wait.
 *
 * <p>{@code docs/guarantees.md} describes the guarantees of a lock, and under which faults they hold. In short, a lease
 * can be lost while the work continues, and then the holder is notified. The reason is that Redis lost its data, or
 * could not be asked before the lease ended.
 */
public interface LockOperations extends AsyncLockOperations, LockInspection {

    /**
     * Waits for the lock, runs the work, and releases the lock. Inside a transaction that is already active, the
     * {@link TransactionRule}, if there is one, decides what happens ({@code baton.in-transaction}).
     *
     * @return the result of the work
     * @throws LockTimeoutException if the lock was not granted within the wait time, or the same holder kept it for the
     *     stall time; the work was not run
     * @throws LockInterruptedException if the thread was interrupted while it waited; its interrupt flag is set
     * @throws LockDeadlockException if this owner holds the lock and the request is not re-entrant, or if this owner
     *     holds some of several requested locks but not all
     * @throws LockStoreException if the store could not be asked; the work was not run. A wait that is shorter than the
     *     store's answer takes ends with a {@link LockTimeoutException}, unless the store could not be reached
     * @throws LockLimitException if too many requests of this process already wait; the work was not run
     * @throws LockLostException if the lease was lost before the work was done; carries the result of the work. If the
     *     work threw, its exception is thrown, with the {@code LockLostException} added as suppressed. Inside a
     *     transaction that outlasts the work, the commit throws it instead, without the result. With
     *     {@link OnLost#LOG}, thrown only if the lease was lost before the work began
     * @throws E the exception that the work threw, unwrapped
     */
    <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> action)
            throws E;

    /** Runs work as {@link #execute(LockRequest, LockCallback)} does, for {@code LockRequest.of(scope, key)}. */
    default <T extends @Nullable Object, E extends Exception> T execute(
            String scope, Object key, LockCallback<T, E> action) throws E {
        return execute(LockRequest.of(scope, key), action);
    }

    /** Runs work without a result as {@link #execute(LockRequest, LockCallback)} does. */
    default <E extends Exception> void executeWithoutResult(LockRequest request, LockRunnable<E> action) throws E {
        execute(request, lease -> {
            action.doWithLock(lease);
            return lease;
        });
    }

    /**
     * Runs work as {@link #executeWithoutResult(LockRequest, LockRunnable)} does, for
     * {@code LockRequest.of(scope, key)}.
     */
    default <E extends Exception> void executeWithoutResult(String scope, Object key, LockRunnable<E> action) throws E {
        executeWithoutResult(LockRequest.of(scope, key), action);
    }

    /**
     * Runs the work if the lock is available, without waiting unless the request itself has a wait time.
     *
     * @return the result of the work, or {@link LockResult.Busy} instead of a {@link LockTimeoutException}
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
     * @throws LockLostException if the call is part of work under a lost lease of the same lock and owner
     * @throws IllegalArgumentException if the request uses {@link OnLost#INTERRUPT}: there is no work to interrupt
     */
    Lease acquire(LockRequest request);

    /**
     * Returns the lease if the lock is available, without waiting unless the request itself has a wait time.
     *
     * @return empty instead of a {@link LockTimeoutException}; other exceptions are those of
     *     {@link #acquire(LockRequest)}
     */
    Optional<Lease> tryAcquire(LockRequest request);

    /**
     * Takes the lock in one step, before all waiters, from whichever owner holds it: a writer, or all readers. Does not
     * wait: takes at most the command time-out, whatever the wait time of the request. A free lock is granted, and an owner
     * that holds the lock itself enters it again, as with {@link #acquire(LockRequest)}.
     *
     * <p>The new lease has a greater {@linkplain Lease#fencingToken() token} than all before. The leases of the earlier
     * holders are lost, and their processes are notified at once. Until such a holder looks, its work continues beside
     * yours. Only the protected resource can refuse it, by its token. Waiters keep their places. A request that
     * {@linkplain LockMode#SHARED shares} the lock begins a run of its own, which the readers before the first waiting
     * writer join.
     *
     * @throws LockInterruptedException as {@link #execute(LockRequest, LockCallback)} does
     * @throws LockDeadlockException as {@link #execute(LockRequest, LockCallback)} does
     * @throws LockStoreException if the store could not be asked, or cannot take locks by force. If its answer is lost, the
     *     earlier holders may have lost the lock; the lock is then released in the background
     * @throws LockLostException if the call is part of work under a lost lease of the same lock and owner
     * @throws IllegalArgumentException if the request uses {@link OnLost#INTERRUPT}: there is no work to interrupt
     * @see LockInspection#forceRelease(LockRequest)
     */
    Lease forceAcquire(LockRequest request);

    /**
     * Returns whether the calling thread already holds all of these locks, so that an acquisition would be a re-entry.
     * The thread holds them in work of {@code execute} or {@code @DistributedLock} at any depth, or by a lease that it
     * has acquired and not released. If the request names an owner, returns whether the thread runs work under a lease
     * of that owner. Always {@code false} for permits, which are never re-entered. Does not ask the store.
     *
     * <p>The default implementation knows only the leases of {@link LockContext}, by their names.
     */
    default boolean isHeldByCurrentThread(LockRequest request) {
        return request.namespace() == null
                && request.owner() == null
                && request.permits() == null
                && LockContext.leases().stream().anyMatch(lease -> lease.names().containsAll(request.names()));
    }

    /**
     * Looks up a value and, if there is none, lets one caller at a time compute and store it:
     * {@code computeIfAbsent(request, this::lookup, this::compute, this::store)}.
     *
     * <p>Looks without the lock, and returns the value if there is one. Otherwise waits for the lock, <em>always</em>
     * looks again, computes, stores, releases, and returns the computed value. A caller that waited meanwhile finds the
     * value at its second look and computes nothing. The stored value must be visible to the look of every process when
     * {@code store} returns.
     *
     * <p>If the operation ends early, no further function is called and the lock is released:
     * <ul>
     *   <li>a value that is {@code null} is absent: {@code null} from {@code compute} is returned and not stored, so
     *       that the next caller computes again. To remember that there is no value, store a value that says so
     *       ({@code Optional}, a constant);
     *   <li>an exception of {@code look}, {@code compute} or {@code store} is thrown unwrapped;
     *   <li>if the lease is over when {@code compute} returns, nothing is stored, because the next holder may have
     *       stored another value. If the lease was lost, the call throws a {@link LockLostException} with the computed
     *       value as its result. The same applies if the lease is lost while {@code store} runs, in which case the
     *       value may have been stored.
     * </ul>
     *
     * <p>The lock does not protect a value that is removed and computed again while a slow caller still computes the
     * old one. The slow caller may not know that its lease is lost. To reject the old value, store with the
     * {@linkplain Lease#fencingToken() fencing token}.
     *
     * @param look returns the value, or {@code null} if there is none; called once or twice
     * @param compute computes the value; called at most once
     * @param store stores the result of {@code compute}, if not {@code null}; called at most once
     * @return the found or computed value; {@code null} only if {@code compute} returned {@code null}
     * @throws LockTimeoutException if the lock was not granted within the wait time; nothing was computed
     * @throws LockInterruptedException as {@link #execute(LockRequest, LockCallback)} does
     * @throws LockDeadlockException as {@link #execute(LockRequest, LockCallback)} does
     * @throws LockStoreException if the lock's store could not be asked; nothing was computed
     * @throws LockLostException if the lease was lost; its result is the computed value
     * @throws L the exception that {@code look} threw
     * @throws C the exception that {@code compute} threw
     * @throws S the exception that {@code store} threw
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
     * Returns operations whose locks are separate from these: {@code lock} becomes {@code lock:orders}. Can be nested.
     *
     * @param namespace names separated by colons, no braces
     */
    LockOperations withNamespace(String namespace);

    /**
     * Returns operations whose {@code execute} and {@code tryExecute} release the lock when the work is done, even
     * inside an active transaction. For work whose effect is visible to others at once, whatever the outcome of that
     * transaction. Returns these operations if transactions have no effect on them. Operations that delegate to others
     * override this method and {@link #isHeldByCurrentThread}.
     */
    default LockOperations ignoringTransactions() {
        return this;
    }

    /**
     * Returns a scope that holds the common settings of its locks:
     * {@code scope("server_access").expire(ofSeconds(10))}.
     *
     * @throws IllegalArgumentException if the scope is invalid
     */
    default LockScope scope(String scope) {
        return LockScope.of(this, scope);
    }

    /**
     * Signals a waiter at a condition of the lock, without holding the lock: see
     * {@link LeaseCondition#signalUnchecked()}.
     *
     * @param condition the name of the condition
     * @throws LockStoreException if the store did not answer; the signal may have been given or not
     * @throws UnsupportedOperationException if the request has several locks, or the store has no conditions
     */
    default void signalUnchecked(LockRequest request, String condition) {
        wakeUp(request, condition, "");
    }

    /**
     * Signals a waiter of one owner at a condition of the lock, without holding the lock: see
     * {@link LeaseCondition#wakeUp(String)}. The default implementation is without conditions.
     *
     * @param condition the name of the condition
     * @param owner the owner, as {@link Lease#owner()} returns it, or empty for any
     * @throws LockStoreException as {@link #signalUnchecked} does
     * @throws UnsupportedOperationException as {@link #signalUnchecked} does
     */
    default void wakeUp(LockRequest request, String condition, String owner) {
        throw new UnsupportedOperationException(getClass().getName() + " has no conditions");
    }

    /**
     * Returns the lock as a {@link java.util.concurrent.locks.Lock}, without requesting it yet.
     *
     * @throws IllegalArgumentException if the request names an owner: a mutex belongs to the thread that acquires it
     */
    default DistributedMutex mutex(LockRequest request) {
        return new DistributedMutex(this, request);
    }

    /**
     * Returns the lock as a {@link java.util.concurrent.locks.ReadWriteLock}, without requesting it yet. The mode of the
     * request has no meaning.
     *
     * @throws IllegalArgumentException if the request names an owner: a mutex belongs to the thread that acquires it
     */
    default DistributedReadWriteLock readWrite(LockRequest request) {
        return new DistributedReadWriteLock(this, request);
    }

    /**
     * Returns the semaphore of this name, without requesting a permit yet. It is independent of the lock of that name.
     *
     * @param size how many permits there are, positive. If processes state different sizes, the smallest of them counts
     * @throws IllegalArgumentException if the size is not positive, or if the request names several locks, an owner, a stall
     *     time or the mode {@link LockMode#SHARED}, or is not re-entrant
     */
    default DistributedSemaphore semaphore(LockRequest request, int size) {
        return new DistributedSemaphore(this, request, size);
    }
}
