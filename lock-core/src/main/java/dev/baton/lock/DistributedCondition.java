package dev.baton.lock;

import java.time.Duration;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;

/**
 * A condition of a {@link DistributedMutex}, for code that uses {@link Condition}. Conditions of the same lock and name are
 * the same condition, in every process. Created by {@link DistributedMutex#condition(String)}. Thread-safe.
 *
 * <p>Waits and signals as {@link Condition} says, with these additions:
 *
 * <ul>
 *   <li>A wait may end without a signal, for example after Redis has lost its data: wait in a loop, as with any
 *       {@link Condition}.
 *   <li>The lock comes back with a new lease, which {@link DistributedMutex#lease()} returns, and as often as the thread
 *       had acquired it.
 *   <li>If the lock does not come back, a wait fails as {@link LeaseCondition} says. The thread holds nothing then, and as
 *       many calls of {@link DistributedMutex#unlock()} as it had acquired the lock have no effect.
 *   <li>Signals need the lock. {@link #signalUnchecked()} and {@link #wakeUp(String)} do not.
 * </ul>
 */
public final class DistributedCondition implements Condition {

    private final DistributedMutex mutex;
    private final LockOperations operations;
    private final LockRequest request;
    private final String name;

    DistributedCondition(DistributedMutex mutex, LockOperations operations, LockRequest request, String name) {
        this.mutex = mutex;
        this.operations = operations;
        this.request = request;
        this.name = LockNames.checkCondition(name);
    }

    /** Returns the name of the condition. */
    public String name() {
        return name;
    }

    /**
     * Waits until it is signalled, without a bound.
     *
     * @throws IllegalMonitorStateException if the thread does not hold the mutex
     * @throws InterruptedException if the thread is interrupted, and was not signalled before; the mutex is held
     */
    @Override
    public void await() throws InterruptedException {
        held().await();
    }

    /** Waits as {@link #await()} does. An interrupt does not end the wait; the interrupt flag is set afterwards. */
    @Override
    public void awaitUninterruptibly() {
        held().awaitUninterruptibly();
    }

    /**
     * Waits as {@link #await()} does, at most the given time.
     *
     * @return an estimate of the rest of the time; zero or less if the time was over
     */
    @Override
    public long awaitNanos(long nanosTimeout) throws InterruptedException {
        LeaseCondition.Woken woken = held().await(Duration.ofNanos(nanosTimeout));
        return woken.inTime()
                ? woken.left().toNanos()
                : Math.min(0, woken.left().toNanos());
    }

    /**
     * Waits as {@link #await()} does, at most the given time.
     *
     * @return {@code false} if the time was over before a signal came
     */
    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        return held().await(Duration.ofNanos(unit.toNanos(time))).inTime();
    }

    /**
     * Waits as {@link #await()} does, at most until the given time. The time by the wall clock is read once: a clock that is
     * set meanwhile does not matter.
     *
     * @return {@code false} if the time was over before a signal came
     */
    @Override
    @SuppressWarnings("JavaUtilDate") // the interface says so
    public boolean awaitUntil(Date deadline) throws InterruptedException {
        return held().await(Duration.ofMillis(deadline.getTime() - System.currentTimeMillis()))
                .inTime();
    }

    /**
     * Signals the waiter that has waited for the longest, if there is one.
     *
     * @throws IllegalMonitorStateException if the thread does not hold the mutex
     */
    @Override
    public void signal() {
        held().signal();
    }

    /**
     * Signals all waiters.
     *
     * @throws IllegalMonitorStateException if the thread does not hold the mutex
     */
    @Override
    public void signalAll() {
        held().signalAll();
    }

    /** Signals a waiter, whether this thread holds the mutex or not: see {@link LeaseCondition#signalUnchecked()}. */
    public void signalUnchecked() {
        operations.signalUnchecked(request, name);
    }

    /**
     * Signals a waiter of an owner, whether this thread holds the mutex or not: see {@link LeaseCondition#wakeUp(String)}.
     *
     * @param owner the owner, as {@link Lease#owner()} returns it
     */
    public void wakeUp(String owner) {
        operations.wakeUp(request, name, owner);
    }

    private LeaseCondition held() {
        Supplier<IllegalMonitorStateException> illegal = () -> new IllegalMonitorStateException("lock '"
                + request.title() + "' is not held by thread '"
                + LockNames.printable(Thread.currentThread().getName()) + "'; only the thread that holds it can use"
                + " its condition '" + name + "'");
        LeaseCondition own = mutex.lease().orElseThrow(illegal).condition(name);
        WaitTime back = request.waitTime();
        return back == null || back.isNone() ? own : own.waitTime(back);
    }

    @Override
    public String toString() {
        return "DistributedCondition '" + name + "' of '" + request.title() + "'";
    }
}
