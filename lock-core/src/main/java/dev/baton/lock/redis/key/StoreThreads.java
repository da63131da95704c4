package dev.baton.lock.redis.key;

import dev.baton.lock.time.Deadlines;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The store's own threads. The clock runs nothing that could wait; opening a connection and subscribing may take a minute,
 * so each has a thread of its own, as has configuring Redis.
 */
public final class StoreThreads {

    private static final long STOP_BOUND_MILLIS = 200;

    private final ScheduledThreadPoolExecutor clock = single("baton-store-clock");
    private final Deadlines deadlines = new Deadlines(
            System::nanoTime, (task, delayNanos) -> clock.schedule(task, delayNanos, TimeUnit.NANOSECONDS));
    private final ScheduledThreadPoolExecutor opener = single("baton-store-connect");
    private final ScheduledThreadPoolExecutor subscriber = single("baton-store-subscribe");

    private final ScheduledThreadPoolExecutor configurer = single("baton-store-configure");

    /** Runs a task on the clock after that time, unless it is cancelled before: that is how most of them end. */
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

    /** What is under way comes to its end, or is interrupted where Redis does not answer; nothing else begins. */
    public void stop() {
        subscriber.shutdown();
        opener.shutdown();
        clock.shutdown();
        // what it is at does not matter any more
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
        // threads of a store that nobody uses any more go by themselves
        executor.setKeepAliveTime(30, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
