package dev.baton.lock.test;

import dev.baton.lock.time.EngineTimer;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Runs tasks on its own thread when they are due by the test's clock. Thread-safe. */
final class TestTimer implements EngineTimer {

    private final ReentrantLock lock = new ReentrantLock();
    /** Signals a new task, a changed time, the end of a task, or the stop. */
    private final Condition changed = lock.newCondition();

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final TestClock clock;
    private final String name;

    private @Nullable Thread thread;
    private boolean running;
    private boolean stopped;
    private long sequence;

    TestTimer(TestClock clock, String name) {
        this.clock = clock;
        this.name = name;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delayNanos) {
        lock.lock();
        try {
            if (stopped) {
                throw new RejectedExecutionException(name + " has stopped");
            }
            Task scheduled = new Task(task, clock.nanoTime() + Math.max(0, delayNanos), sequence++);
            tasks.add(scheduled);
            clock.scheduled();
            if (thread == null) {
                thread = new Thread(this::run, name);
                thread.setDaemon(true);
                thread.start();
            }
            changed.signalAll();
            return scheduled;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop() {
        lock.lock();
        try {
            stopped = true;
            tasks.clear();
            if (thread != null) {
                thread.interrupt();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        clock.forget(this);
    }

    /** Notifies the timer that the time has changed. */
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    OptionalLong nextDue() {
        lock.lock();
        try {
            Task next = tasks.peek();
            return next == null ? OptionalLong.empty() : OptionalLong.of(next.due);
        } finally {
            lock.unlock();
        }
    }

    /** Returns when no task is due or running. */
    void awaitIdle(long boundSeconds) {
        lock.lock();
        try {
            if (Thread.currentThread() == thread) {
                throw new IllegalStateException(
                        "a task of " + name + " cannot wait for itself; advance the clock in the test");
            }
            long left = TimeUnit.SECONDS.toNanos(boundSeconds);
            while (!stopped && (running || isDue())) {
                if (left <= 0) {
                    throw new IllegalStateException(
                            "a task of " + name + " has not ended within " + boundSeconds + " s");
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the clock is advanced", ex);
        } finally {
            lock.unlock();
        }
    }

    private boolean isDue() {
        Task next = tasks.peek();
        return next != null && next.due - clock.nanoTime() <= 0;
    }

    private void run() {
        for (Task next = take(); next != null; next = take()) {
            next.run();
        }
    }

    /** Returns the next due task, or {@code null} if the timer is stopped. */
    private @Nullable Task take() {
        lock.lock();
        try {
            running = false;
            changed.signalAll();
            while (!stopped) {
                Task next = tasks.peek();
                if (next != null && isDue()) {
                    running = true;
                    return tasks.poll();
                }
                sleep(next);
            }
            return null;
        } catch (InterruptedException ex) {
            // a task left the interrupt flag set, or the timer was stopped
            return stopped ? null : take();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the caller has the loop
    private void sleep(@Nullable Task next) throws InterruptedException {
        if (next != null && clock.isTicking()) {
            changed.awaitNanos(next.due - clock.nanoTime());
        } else {
            changed.await();
        }
    }

    /** One task. Tasks due at the same time run in the order of scheduling. */
    private final class Task extends FutureTask<@Nullable Void> implements ScheduledFuture<@Nullable Void> {

        private final long due;
        private final long place;

        Task(Runnable task, long due, long place) {
            super(task, null);
            this.due = due;
            this.place = place;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            lock.lock();
            try {
                tasks.remove(this);
            } finally {
                lock.unlock();
            }
            return cancelled;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - clock.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            Task that = (Task) other;
            return due == that.due ? Long.compare(place, that.place) : Long.signum(due - that.due);
        }
    }
}
