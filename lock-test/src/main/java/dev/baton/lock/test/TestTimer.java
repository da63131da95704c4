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

/** A thread that runs its tasks when the test's clock says that they are due. */
final class TestTimer implements EngineTimer {

    private final ReentrantLock lock = new ReentrantLock();
    /** Another task, another time, or the end of a task. */
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

    /** The time is another one. */
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

    /** Returns when nothing is due any more. */
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

    /** The next task that is due; null: stopped. */
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
            // by a task that left the flag behind, or by the stop
            return stopped ? null : take();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the caller's
    private void sleep(@Nullable Task next) throws InterruptedException {
        if (next != null && clock.isTicking()) {
            changed.awaitNanos(next.due - clock.nanoTime());
        } else {
            changed.await();
        }
    }

    /** One task; equal ones are run as they came. */
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
