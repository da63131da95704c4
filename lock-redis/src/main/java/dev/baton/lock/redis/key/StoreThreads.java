package dev.baton.lock.redis.key;

import dev.baton.lock.time.Deadlines;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The store's own threads. The clock runs nothing that could block. Opening a connection and subscribing may take a
 * minute each. Each therefore has its own thread, as has configuring Redis. Over Jedis, the thread that opens
 * connections closes those whose caller was let go.
 */
public final class StoreThreads {

    private static final long STOP_BOUND_MILLIS = 200;

    private final ScheduledThreadPoolExecutor clock = single("baton-store-clock");
    private final Deadlines deadlines = new Deadlines(
            System::nanoTime, (task, delayNanos) -> clock.schedule(task, delayNanos, TimeUnit.NANOSECONDS));
    private final ScheduledThreadPoolExecutor opener = single("baton-store-connect");
    private final ScheduledThreadPoolExecutor subscriber = single("baton-store-subscribe");

    private final ScheduledThreadPoolExecutor configurer = single("baton-store-configure");

    /** Runs a task on the clock after the given time, unless the task is cancelled before. Most tasks are cancelled. */
    public Deadlines.Watch after(long nanos, Runnable task) {
        return deadlines.watch(new After(System.nanoTime() + nanos, task));
    }

    private record After(long at, Runnable task) implements Deadlines.Deadline {

        @Override
        public void passed() {
            task.run();
        }
    }

    public Executor opener() {
        return opener;
    }

    public Executor configurer() {
        return configurer;
    }

    public ScheduledThreadPoolExecutor subscriber() {
        return subscriber;
    }

    /** Lets tasks in progress finish, or interrupts them if Redis does not answer. Starts no other task. */
    public void stop() {
        subscriber.shutdown();
        opener.shutdown();
        clock.shutdown();
        // the configuration no longer matters: interrupt it at once
        configurer.shutdownNow();
        try {
            for (ScheduledThreadPoolExecutor waiting : List.of(opener, subscriber)) {
                if (!waiting.awaitTermination(STOP_BOUND_MILLIS, TimeUnit.MILLISECONDS)) {
                    waiting.shutdownNow();
                }
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            opener.shutdownNow();
            subscriber.shutdownNow();
        }
    }

    private static ScheduledThreadPoolExecutor single(String name) {
        ThreadFactory factory = task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, factory);
        executor.setRemoveOnCancelPolicy(true);
        // threads of a store that is no longer used end on their own
        executor.setKeepAliveTime(30, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
