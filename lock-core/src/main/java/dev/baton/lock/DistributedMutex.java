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
 * A lock between processes for code that knows {@link Lock}. Made by {@link LockOperations#mutex(LockRequest)}; two of the same
 * name are the same lock.
 *
 * <p>Thread-safe. Belongs to the thread that takes it, which may take it again and has to give it back as often.
 *
 * <p>The default wait time of the operations does not apply. A request that names one bounds {@link #lock()} and
 * {@link #lockInterruptibly()} with it, and one that names a stall time ends every wait with it; both throw
 * {@link LockTimeoutException} there.
 *
 * <p>Beyond what {@link Lock} says, every way to take it throws {@link LockStoreException} if the store cannot be asked, {@link
 * LockLostException} if this thread has it already, has lost
 * it meanwhile and has not unlocked it, {@link LockDeadlockException} if this thread has it already and the request is not re-entrant, and
 * {@link LockLimitException} if too many wait. Its lease can end while it is held: {@link #lease()} knows.
 */
public final class DistributedMutex implements Lock {

    private final LockOperations operations;
    private final LockRequest request;
    /** The leases of each thread that has taken it, the last one first; each is touched by its own thread alone. */
    private final Map<Thread, Deque<Lease>> leases = new ConcurrentHashMap<>();

    /**
     * Creates a mutex.
     *
     * @throws IllegalArgumentException if the request names an owner
     */
    DistributedMutex(LockOperations operations, LockRequest request) {
        if (request.owner() != null) {
            throw new IllegalArgumentException("a mutex belongs to the thread that takes it, not to owner '"
                    + LockNames.printable(request.owner()) + "'; leave owner out, or use acquire(request)");
        }
        this.operations = operations;
        this.request = request.waitTime() == null ? request.waitUnbounded() : request;
    }

    /** Waits without a bound, unless the request names one. An interrupt does not end the wait, and is kept. */
    @Override
    public void lock() {
        enter(ask(() -> operations.acquire(request.interruptible(false))));
    }

    /**
     * As {@link #lock()}, and an interrupt ends the wait.
     *
     * @throws InterruptedException if the thread is interrupted while it waits, or was when it came; its flag is cleared
     */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        enter(interruptibly(() -> ask(() -> operations.acquire(request.interruptible(true)))));
    }

    /** Asks once: waits for the answer, at most {@code baton.command-timeout}, and for nothing else. Keeps an interrupt. */
    @Override
    public boolean tryLock() {
        Optional<Lease> lease =
                ask(() -> operations.tryAcquire(request.interruptible(false).waitTime(WaitTime.none())));
        lease.ifPresent(this::enter);
        return lease.isPresent();
    }

    /**
     * Waits at the most that long; a time that is not positive asks once, as {@link #tryLock()}. False when the time is over,
     * also if the store has not answered until then.
     *
     * @throws InterruptedException if the thread is interrupted while it waits, or was when it came; its flag is cleared
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
            // a silent store is told of just before the time is over; a refusal comes at once
            if (nanos > 0 && System.nanoTime() - since >= nanos - nanos / 5) {
                return false;
            }
            throw ex;
        }
    }

    /**
     * Gives it back, once. Waits for the store's answer as {@link Lease#release()} does, and keeps an interrupt.
     *
     * @throws IllegalMonitorStateException if the thread does not have it; caused by {@link LockLostException} if it had it
     *     and its lease has ended: others may have had it meanwhile. The thread has it once less then, too
     */
    @Override
    public void unlock() {
        Thread thread = Thread.currentThread();
        Deque<Lease> own = leases.get(thread);
        if (own == null) {
            throw new IllegalMonitorStateException("lock '" + request.title() + "' is not held by thread '"
                    + LockNames.printable(thread.getName()) + "'; only the thread that took it gives it back");
        }
        Lease last = own.pop();
        if (own.isEmpty()) {
            leases.remove(thread);
        }
        try {
            last.close();
        } catch (LockLostException ex) {
            IllegalMonitorStateException illegal = new IllegalMonitorStateException("lock '" + request.title()
                    + "' is not held any more by thread '" + LockNames.printable(thread.getName()) + "'");
            illegal.initCause(ex);
            throw illegal;
        }
    }

    /**
     * Not supported yet.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("conditions of lock '" + request.title()
                + "' are not supported yet; release the lock and wait for what you need otherwise");
    }

    /** The lease of the calling thread, with its fencing token; empty if the thread does not have the lock by this mutex. */
    public Optional<Lease> lease() {
        return Optional.ofNullable(leases.get(Thread.currentThread())).map(Deque::peek);
    }

    /** How often the calling thread has taken it by this mutex and not given it back. */
    public int getHoldCount() {
        Deque<Lease> own = leases.get(Thread.currentThread());
        return own == null ? 0 : own.size();
    }

    /** Asks as work under what the thread has by this mutex: while it has not unlocked a lost lease, it is told of that. */
    private <T> T ask(Supplier<T> asking) {
        Deque<Lease> own = leases.get(Thread.currentThread());
        return own == null ? asking.get() : LockContext.callWith(own.element(), lease -> asking.get());
    }

    private void enter(Lease lease) {
        Deque<Lease> own = leases.get(Thread.currentThread());
        if (own == null) {
            // threads that ended without unlocking; there are others only if their leases are over
            leases.keySet().removeIf(thread -> !thread.isAlive());
            own = new ArrayDeque<>();
            leases.put(Thread.currentThread(), own);
        }
        own.push(lease);
    }

    private static <T> T interruptibly(Supplier<T> taking) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before the lock was asked for");
        }
        try {
            return taking.get();
        } catch (LockInterruptedException ex) {
            // the flag is set again; here the exception stands for it
            Thread.interrupted();
            InterruptedException interrupted = new InterruptedException(ex.getMessage());
            interrupted.initCause(ex);
            throw interrupted;
        }
    }

    /** Says which thread of this process has it by this mutex, if any: a hint for people. */
    @Override
    public String toString() {
        String holder = leases.keySet().stream()
                .findFirst()
                .map(thread -> "taken by thread '" + LockNames.printable(thread.getName()) + "'")
                .orElse("not taken by this process");
        return "DistributedMutex '" + request.title() + "' (" + holder + ")";
    }
}
