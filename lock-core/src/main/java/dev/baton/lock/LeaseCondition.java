package dev.baton.lock;

import java.time.Duration;

/**
 * A condition of a lock, as the holder of a lease uses it: it releases the lock, waits until another holder signals the
 * condition, and gets the lock back. Conditions of the same lock and name are the same condition, in every process.
 *
 * <p>A wait may end without a signal (a spurious wake-up), for example after Redis has lost its data. So wait in a loop
 * that looks at the state that the lock protects:
 *
 * <pre>{@code
 * Lease now = lease;
 * while (queue.isEmpty()) {
 *     now = now.condition("notEmpty").await();
 * }
 * }</pre>
 *
 * <p>A wait ends the lease: it counts as released. The lock comes back with a new lease and a new
 * {@linkplain Lease#fencingToken() token}. Closing the earlier lease closes the new one, too. All re-entries of the owner
 * are released with it, and come back with it.
 *
 * <p>If the lock does not come back, the wait fails, and the owner holds nothing. Each of its leases can still be closed,
 * once, without an effect and without an exception.
 *
 * <p>Every wait throws, in addition to what it says:
 * <ul>
 *   <li>{@link IllegalMonitorStateException} if the lease is not held, or shares its lock; nothing has changed then. The
 *       cause is a {@link LockLostException} if the lease was lost;
 *   <li>{@link LockTimeoutException} if the lock has not come back within the {@linkplain #waitTime wait time};
 *   <li>{@link LockStoreException} if the store could not be asked;
 *   <li>{@link LockLostException} if the lock came back, and was lost again at once;
 *   <li>{@link UnsupportedOperationException} if the lease has several locks, keeps its lock with {@code holdAtLeast}, or
 *       the store has no conditions.
 * </ul>
 *
 * <p>A signal moves one waiter to the end of the queue of the lock, in the order in which they began to wait. If that waiter
 * dies or gives up before it is granted the lock, the next one is signalled instead. A waiter that dies after it was
 * granted the lock takes the signal with it. So a wait with a bound is the safe choice.
 *
 * <p>Thread-safe, but each wait uses up its lease.
 */
public interface LeaseCondition {

    /** The name of the condition that {@code java.util.concurrent.locks.Lock.newCondition()} uses. */
    String DEFAULT = "default";

    /** Returns the name of the condition. */
    String name();

    /**
     * Returns the same condition with another bound for the lock to come back. The default is the wait time of the
     * request. If that is none, it is the wait time of its scope, or else the configured one.
     *
     * @param waitTime how long the lock may take to come back after the wait at the condition
     * @throws IllegalArgumentException if the wait time is {@linkplain WaitTime#none() none}
     */
    LeaseCondition waitTime(WaitTime waitTime);

    /**
     * Waits until it is signalled, without a bound.
     *
     * @return the new lease
     * @throws InterruptedException if the thread is interrupted, and was not signalled before. The lock is held again.
     *     After a signal, the wait returns with the interrupt flag set
     */
    Lease await() throws InterruptedException;

    /**
     * Waits until it is signalled, at most the given time. The lock may come back later.
     *
     * @param time the longest wait; not positive: the lock is released and acquired again
     * @throws InterruptedException as {@link #await()} does
     */
    Woken await(Duration time) throws InterruptedException;

    /** Waits as {@link #await()} does. An interrupt does not end the wait; the interrupt flag is set afterwards. */
    Lease awaitUninterruptibly();

    /**
     * Signals the first waiter, if there is one. Waits for the answer of the store, at most the command time-out.
     *
     * @throws IllegalMonitorStateException if the lease is not held, or shares its lock
     * @throws LockStoreException if the store did not answer; the signal may have been given or not
     * @throws UnsupportedOperationException if the lease has several locks, or the store has no conditions
     */
    void signal();

    /** Signals all waiters, as {@link #signal()} does. */
    void signalAll();

    /**
     * Signals the first waiter whether the lease is held or not. A waiter that has just looked at the state, and does not
     * wait yet, misses it. Exceptions are those of {@link #signal()}.
     */
    void signalUnchecked();

    /**
     * Signals the first waiter of an owner whether the lease is held or not. Has no effect if no request of that owner
     * waits. Exceptions are those of {@link #signal()}.
     *
     * @param owner the owner, as {@link Lease#owner()} returns it
     */
    void wakeUp(String owner);

    /**
     * The end of a wait with a bound.
     *
     * @param lease the new lease
     * @param inTime {@code false} if the time was over before a signal came
     * @param left the rest of the time when the wait returned; negative if it took longer
     */
    record Woken(Lease lease, boolean inTime, Duration left) {}
}
