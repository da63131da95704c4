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
 * The engine's own threads: a clock that only looks at local ends (so that nothing which talks to the store can make a
 * loss be noticed late), one that asks the store, and a few for what users want to be called back for. They start when
 * needed and go when idle.
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
     * Creates the threads; none is started yet.
     *
     * @param async where stages complete; null: where callbacks run
     */
    public EngineExecutors(TimeSource time, @Nullable Executor async) {
        this.async = async == null ? callbacks : async;
        clock = time.newTimer("baton-clock");
        deadlines = new Deadlines(time::nanoTime, (task, delayNanos) -> schedule(clock, delayNanos, task));
        asker = time.newTimer("baton-asker");
        callbacks.allowCoreThreadTimeOut(true);
    }

    /** Tells of deadlines on the clock, which must not wait; of none once stopped. */
    public Deadlines onClock() {
        return deadlines;
    }

    /** Runs on the thread that asks the store; null once stopped. */
    @Nullable
    public ScheduledFuture<?> onAsker(long delayNanos, Runnable task) {
        return schedule(asker, delayNanos, task);
    }

    /** Runs what a user registered; once stopped, in a thread made for it: a loss is told all the same. */
    public void callBack(Runnable task) {
        try {
            callbacks.execute(logged(task));
        } catch (RejectedExecutionException ex) {
            CALLBACK.newThread(logged(task)).start();
        }
    }

    /**
     * Runs what a user attached to a stage; where its executor has no thread, on one of those for callbacks: who waits must not wait
     * for ever, and the thread that tells of an answer must not wait for the user's work.
     */
    public void complete(Runnable task) {
        try {
            async.execute(task);
        } catch (RejectedExecutionException ex) {
            callBack(task);
        }
    }

    /** Tasks that are scheduled and not due yet; zero where the timers are not our own. */
    public int pending() {
        return pending(clock) - deadlines.emptySlots() + pending(asker);
    }

    private static int pending(EngineTimer timer) {
        return timer instanceof ThreadTimer own ? own.pending() : 0;
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
            log.debug("The lock engine has stopped; nothing is scheduled any more");
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
