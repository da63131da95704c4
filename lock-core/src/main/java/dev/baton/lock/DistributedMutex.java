package dev.baton.lock;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/**
 * A distributed lock for code that uses {@link Lock}. Created by {@link LockOperations#mutex(LockRequest)}; two mutexes
 * of the same name are the same lock.
 *
 * <p>Thread-safe. Belongs to the thread that acquires it. That thread may acquire it again, and has to unlock it as
 * often.
 *
 * <p>The default wait time of the operations does not apply. The wait time of the request, if set, bounds
 * {@link #lock()} and {@link #lockInterruptibly()}; the stall time of the request, or else the default one, bounds
 * every wait if it is set. Both methods throw {@link LockTimeoutException} when such a bound ends the wait.
 *
 * <p>Every method that acquires the mutex throws the following exceptions in addition to those of {@link Lock}:
 * <ul>
 *   <li>{@link LockStoreException} if the store could not be asked;
 *   <li>{@link LockLostException} if this thread already holds the mutex, has lost it meanwhile and has not unlocked
 *       it;
 *   <li>{@link LockDeadlockException} if this thread already holds the mutex and the request is not re-entrant;
 *   <li>{@link LockLimitException} if too many requests wait.
 * </ul>
 *
 * <p>The lease of a mutex can end while the thread holds the mutex; {@link #lease()} shows whether it has ended.
 */
public final class DistributedMutex implements Lock {

    private final LockOperations operations;
    private final LockRequest request;
    /**
     * The leases of each thread that has acquired the mutex, the last one first. Each deque is accessed by its own
     * thread only.
     */
    private final Map<Thread, Deque<Lease>> leases = new ConcurrentHashMap<>();

    /**
     * Creates a mutex.
     *
     * @throws IllegalArgumentException if the request names an owner, or asks for permits
     */
    DistributedMutex(LockOperations operations, LockRequest request) {
        if (request.permits() != null) {
            throw new IllegalArgumentException("a mutex of '" + request.title()
                    + "' has one holder, and no permits; leave permits out, or use semaphore(request, size)");
        }
        if (request.owner() != null) {
            throw new IllegalArgumentException("a mutex belongs to the thread that acquires it, not to owner '"
                    + LockNames.printable(request.owner()) + "'; leave owner out, or use acquire(request)");
        }
        this.operations = operations;
        this.request = request.waitTime() == null ? request.waitUnbounded() : request;
    }

    /** Waits without a bound, unless the request sets one. An interrupt does not end the wait, and is kept. */
    @Override
    public void lock() {
        enter(ask(() -> operations.acquire(request.interruptible(false))));
    }

    /**
     * Acquires the mutex as {@link #lock()} does, but an interrupt ends the wait.
     *
     * @throws InterruptedException if the thread is interrupted before or during the wait; its flag is cleared
     */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        enter(interruptibly(() -> ask(() -> operations.acquire(request.interruptible(true)))));
    }

    /**
     * Asks the store once. Waits only for the answer, at most {@code baton.command-timeout}, and keeps an interrupt.
     */
    @Override
    public boolean tryLock() {
        Optional<Lease> lease =
                ask(() -> operations.tryAcquire(request.interruptible(false).waitTime(WaitTime.none())));
        lease.ifPresent(this::enter);
        return lease.isPresent();
    }

    /**
     * Waits at most the given time. A time that is not positive asks once, as {@link #tryLock()} does. Returns
     * {@code false} when the time is over, even if the store has not answered by then.
     *
     * @throws InterruptedException if the thread is interrupted before or during the wait; its flag is cleared
     */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        long nanos = Math.max(0, unit.toNanos(time));
        long since = System.nanoTime();
        try {
            LockRequest bounded = request.interruptible(true).waitTime(Duration.ofNanos(nanos));
            Optional<Lease> lease = interruptibly(() -> ask(() -> operations.tryAcquire(bounded)));
            lease.ifPresent(this::enter);
            return lease.isPresent();
        } catch (LockStoreException ex) {
            // a silent store fails just before the time is over, a refusal at once: only a late failure counts as a
            // time-out
            if (nanos > 0 && System.nanoTime() - since >= nanos - nanos / 5) {
                return false;
            }
            throw ex;
        }
    }

    /**
     * Releases the mutex once. Waits for the store's answer as {@link Lease#release()} does, and keeps an interrupt.
     *
     * @throws IllegalMonitorStateException if the thread does not hold the mutex. If the thread held it and its lease
     *     has ended, the cause is a {@link LockLostException}: another holder may have had the lock meanwhile. The hold
     *     count of the thread decreases in that case, too
     */
    @Override
    public void unlock() {
        Thread thread = Thread.currentThread();
        Deque<Lease> own = leases.get(thread);
        if (own == null) {
            throw new IllegalMonitorStateException("lock '" + request.title() + "' is not held by thread '"
                    + LockNames.printable(thread.getName()) + "'; only the thread that acquired it can release it");
        }
        Lease last = own.pop();
        if (own.isEmpty()) {
            leases.remove(thread);
        }
        try {
            last.close();
        } catch (LockLostException ex) {
            IllegalMonitorStateException illegal = new IllegalMonitorStateException("lock '" + request.title()
                    + "' is no longer held by thread '" + LockNames.printable(thread.getName()) + "'");
            illegal.initCause(ex);
            throw illegal;
        }
    }

    /**
     * Returns the condition {@code default} of the lock. All conditions that this method returns for one lock are the same.
     * {@link #condition(String)} returns others.
     *
     * @throws UnsupportedOperationException if this mutex shares its lock: readers have no conditions
     */
    @Override
    public Condition newCondition() {
        return condition(LeaseCondition.DEFAULT);
    }

    /**
     * Returns a condition of the lock.
     *
     * @param name one to 64 letters, digits, dots, dashes or underscores
     * @throws IllegalArgumentException if the name is invalid
     * @throws UnsupportedOperationException if this mutex shares its lock: readers have no conditions
     */
    public DistributedCondition condition(String name) {
        if (request.isShared()) {
            throw new UnsupportedOperationException(
                    "readers of lock '" + request.title() + "' have no conditions; use the write lock");
        }
        return new DistributedCondition(this, operations, request, name);
    }

    /**
     * Returns the calling thread's lease, with its fencing token, or empty if the thread does not hold this mutex
     * object.
     */
    public Optional<Lease> lease() {
        return Optional.ofNullable(leases.get(Thread.currentThread()))
                .map(Deque::peek)
                .map(Lease::present);
    }

    /** Returns how often the calling thread has acquired this mutex object without unlocking it. */
    public int getHoldCount() {
        Deque<Lease> own = leases.get(Thread.currentThread());
        return own == null ? 0 : own.size();
    }

    /**
     * Requests the lock as work under the lease that the thread has by this mutex, if any. A thread that has not
     * unlocked a lost lease thus gets a {@link LockLostException}.
     */
    private <T> T ask(Supplier<T> asking) {
        Deque<Lease> own = leases.get(Thread.currentThread());
        return own == null ? asking.get() : LockContext.callWith(own.element(), lease -> asking.get());
    }

    private void enter(Lease lease) {
        Deque<Lease> own = leases.get(Thread.currentThread());
        if (own == null) {
            // another thread is listed only if its lease is over: drop the threads that ended without unlocking
            leases.keySet().removeIf(thread -> !thread.isAlive());
            own = new ArrayDeque<>();
            leases.put(Thread.currentThread(), own);
        }
        own.push(lease);
    }

    private static <T> T interruptibly(Supplier<T> taking) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before the lock was requested");
        }
        try {
            return taking.get();
        } catch (LockInterruptedException ex) {
            // the flag was set again; the exception replaces it here
            Thread.interrupted();
            InterruptedException interrupted = new InterruptedException(ex.getMessage());
            interrupted.initCause(ex);
            throw interrupted;
        }
    }

    /** Names a thread of this process that holds this mutex object, if any, as a hint for people. */
    @Override
    public String toString() {
        String holder = leases.keySet().stream()
                .findFirst()
                .map(thread -> "taken by thread '" + LockNames.printable(thread.getName()) + "'")
                .orElse("not taken by this process");
        return "DistributedMutex '" + request.title() + "' (" + holder + ")";
    }
}
