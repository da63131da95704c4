package dev.baton.lock.time;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs tasks on a daemon thread that starts when needed and ends when idle. */
final class ThreadTimer implements EngineTimer {

    private final ScheduledThreadPoolExecutor executor;

    ThreadTimer(String name) {
        executor = new ScheduledThreadPoolExecutor(1, EngineExecutors.daemon(name));
        executor.setRemoveOnCancelPolicy(true);
        executor.setKeepAliveTime(30, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delayNanos) {
        return executor.schedule(task, Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
    }

    /** Returns the number of tasks that are not due yet. */
    int pending() {
        return executor.getQueue().size();
    }

    @Override
    public void stop() {
        executor.shutdownNow();
    }
}
