package dev.baton.lock.time;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;

/** Runs tasks one after the other when they are due. Thread-safe. */
public interface EngineTimer {

    /**
     * Runs a task after a delay.
     *
     * @param delayNanos zero or less: as soon as the tasks before it are done
     * @throws RejectedExecutionException if it was stopped
     */
    ScheduledFuture<?> schedule(Runnable task, long delayNanos);

    /** Begins no task any more and interrupts the one that runs. */
    void stop();
}
