package dev.baton.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A semaphore whose permits are shared by all processes. Created by
 * {@link LockOperations#semaphore(LockRequest, int)}; two of the same name are the same semaphore, and independent of
 * the lock of that name. Thread-safe.
 *
 * <ul>
 *   <li>Permits are a {@link Lease}: closing it gives all of them back, in any thread. A lease is renewed, ends and is lost
 *       as that of a lock, so a process that crashes gives its permits back.
 *   <li>Nothing is re-entrant. A thread that has a permit and acquires another has two.
 *   <li>Requests are granted in the order in which they came. A request for several permits may be passed for
 *       {@code baton.patience}; after that time, permits stay unused until the request can be granted.
 *   <li>{@link Lease#fencingToken()} differs from grant to grant, but is no fence: several leases are valid together.
 * </ul>
 *
 * <p>Every process states the size, and the smallest size that a process states at present counts. Needs scripts and the
 * wait strategy {@link WaitStrategy#GRANT}. See {@code docs/permits.md}.
 */
public final class DistributedSemaphore {

    private final LockOperations operations;
    private final LockRequest request;
    private final int size;

    /**
     * Creates a semaphore.
     *
     * @throws IllegalArgumentException if the size is not positive, or the request contradicts permits
     */
    DistributedSemaphore(LockOperations operations, LockRequest request, int size) {
        this.operations = operations;
        this.request = request.permits(size);
        this.size = size;
    }

    /** Returns how many permits this process states. */
    public int size() {
        return size;
    }

    /**
     * Returns the request for some permits, for {@link LockOperations#execute(LockRequest, LockCallback)} and the like.
     *
     * @throws IllegalArgumentException if the number is not positive, or greater than {@link #size()}
     */
    public LockRequest request(int permits) {
        return request.permits(new LockPermits(size, permits));
    }

    /** Acquires one permit as {@link #acquire(int)} does. */
    public Lease acquire() {
        return acquire(1);
    }

    /**
     * Waits for some permits, at most the wait time of the request, or else the default one, and returns their lease.
     *
     * @throws IllegalArgumentException if the number is not positive, or greater than {@link #size()}, or if the store
     *     grants no permits; the message says why
     * @throws LockTimeoutException if the permits were not granted within the wait time
     * @throws LockInterruptedException as {@link LockOperations#acquire(LockRequest)} does
     * @throws LockStoreException as {@link LockOperations#acquire(LockRequest)} does
     * @throws LockLimitException as {@link LockOperations#acquire(LockRequest)} does
     */
    public Lease acquire(int permits) {
        return operations.acquire(request(permits));
    }

    /** Returns one permit as {@link #tryAcquire(int)} does. */
    public Optional<Lease> tryAcquire() {
        return tryAcquire(1);
    }

    /**
     * Returns some permits if they are free and no request waits for permits, without waiting.
     *
     * @return empty instead of a {@link LockTimeoutException}; other exceptions are those of {@link #acquire(int)}
     */
    public Optional<Lease> tryAcquire(int permits) {
        return operations.tryAcquire(request(permits).waitTime(WaitTime.none()));
    }

    /** Waits for one permit as {@link #tryAcquire(int, Duration)} does. */
    public Optional<Lease> tryAcquire(Duration waitTime) {
        return tryAcquire(1, waitTime);
    }

    /**
     * Waits for some permits, at most the given time; zero does not wait.
     *
     * @return empty instead of a {@link LockTimeoutException}; other exceptions are those of {@link #acquire(int)}
     * @throws IllegalArgumentException if the time is negative
     */
    public Optional<Lease> tryAcquire(int permits, Duration waitTime) {
        return operations.tryAcquire(request(permits).waitTime(waitTime));
    }

    /** Requests one permit as {@link #acquireAsync(int)} does. */
    public CompletionStage<Lease> acquireAsync() {
        return acquireAsync(1);
    }

    /** Requests some permits and returns at once, as {@link AsyncLockOperations#acquireAsync(LockRequest)} does. */
    public CompletionStage<Lease> acquireAsync(int permits) {
        return operations.acquireAsync(request(permits));
    }

    /**
     * Returns how many permits are free, as the store answers. The answer may be outdated already, and waiting requests may
     * come first. If no process states a size at present, that of this object counts.
     *
     * @throws LockStoreException if the store could not be asked
     * @throws UnsupportedOperationException if the store has no semaphores
     */
    public int availablePermits() {
        LockState.Permits permits = inspect()
                .permits()
                .orElseThrow(() -> new UnsupportedOperationException(
                        "the store of semaphore '" + request.title() + "' does not count permits"));
        return Math.max(0, permits.size().orElse(size) - permits.used());
    }

    /**
     * Returns the holders of permits, the waiters, and the size that counts.
     *
     * @throws LockStoreException if the store could not be asked
     */
    public LockState inspect() {
        return operations.inspect(request);
    }

    /** Sets the size for a time as {@link LockInspection#overrideSize} does. */
    public LockState.Permits overrideSize(int permits, Duration duration) {
        return operations.overrideSize(request, permits, duration);
    }

    @Override
    public String toString() {
        return "DistributedSemaphore '" + request.title() + "' of " + size;
    }
}
