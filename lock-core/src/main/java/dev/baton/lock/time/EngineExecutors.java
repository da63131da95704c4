package dev.baton.lock.time;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the engine's work on its own threads: a clock thread, a thread that asks the store, and a few callback threads
 * for code of users. The clock thread only handles local lease ends, so that work with the store cannot delay the
 * detection of a loss. All threads start when needed and end when idle.
 */
public final class EngineExecutors {

    private static final Logger log = LoggerFactory.getLogger(EngineExecutors.class);

    private static final int CALLBACK_THREADS = 4;
    private static final ThreadFactory CALLBACK = daemon("baton-callback");

    private final EngineTimer clock;
    private final Deadlines deadlines;
    private final EngineTimer asker;
    private final ThreadPoolExecutor callbacks = new ThreadPoolExecutor(
            CALLBACK_THREADS, CALLBACK_THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), CALLBACK);

    private final Executor async;

    public EngineExecutors(TimeSource time) {
        this(time, null);
    }

    /**
     * Creates the executors. No thread is started yet.
     *
     * @param async the executor on which stages complete, or {@code null} for the callback threads
     */
    public EngineExecutors(TimeSource time, @Nullable Executor async) {
        this.async = async == null ? callbacks : async;
        clock = time.newTimer("baton-clock");
        deadlines = new Deadlines(time::nanoTime, (task, delayNanos) -> schedule(clock, delayNanos, task));
        asker = time.newTimer("baton-asker");
        callbacks.allowCoreThreadTimeOut(true);
    }

    /**
     * Returns the deadlines on the clock thread, which must not block. None is notified once the executors have
     * stopped.
     */
    public Deadlines onClock() {
        return deadlines;
    }

    /** Schedules a task on the thread that asks the store. Returns {@code null} once the executors have stopped. */
    @Nullable
    public ScheduledFuture<?> onAsker(long delayNanos, Runnable task) {
        return schedule(asker, delayNanos, task);
    }

    /**
     * Runs code that a user registered. Once the executors have stopped, the code runs in a thread created for it, so
     * that a loss is still reported.
     */
    public void callBack(Runnable task) {
        try {
            callbacks.execute(logged(task));
        } catch (RejectedExecutionException ex) {
            CALLBACK.newThread(logged(task)).start();
        }
    }

    /**
     * Runs code that a user attached to a stage. If the executor for stages rejects the task, a callback thread runs
     * the task. The waiter must not wait forever, and the thread that delivers an answer must not wait for the user's
     * code.
     */
    public void complete(Runnable task) {
        try {
            async.execute(task);
        } catch (RejectedExecutionException ex) {
            callBack(task);
        }
    }

    /** Returns the number of scheduled tasks that are not due yet; zero if the timers are not Baton's own. */
    public int pending() {
        return pending(clock) - deadlines.emptySlots() + pending(asker);
    }

    private static int pending(EngineTimer timer) {
        return timer instanceof ThreadTimer own ? own.pending() : 0;
    }

    /** Returns the number of callbacks that wait for a callback thread. */
    public int waitingCallbacks() {
        return callbacks.getQueue().size();
    }

    public boolean isStopped() {
        return callbacks.isShutdown();
    }

    public void stop() {
        clock.stop();
        asker.stop();
        callbacks.shutdown();
    }

    private static @Nullable ScheduledFuture<?> schedule(EngineTimer timer, long delayNanos, Runnable task) {
        try {
            return timer.schedule(logged(task), delayNanos);
        } catch (RejectedExecutionException ex) {
            log.debug("The lock engine has stopped and schedules no more tasks");
            return null;
        }
    }

    private static Runnable logged(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException ex) {
                log.error("A task of the lock engine failed", ex);
            }
        };
    }

    static ThreadFactory daemon(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
