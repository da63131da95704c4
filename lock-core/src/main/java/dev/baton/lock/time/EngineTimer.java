package dev.baton.lock.time;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;

/** Runs tasks one after the other when they are due. Thread-safe. */
public interface EngineTimer {

    /**
     * Runs a task after a delay.
     *
     * @param delayNanos the delay; zero or less means as soon as the tasks before this one are done
     * @throws RejectedExecutionException if the timer was stopped
     */
    ScheduledFuture<?> schedule(Runnable task, long delayNanos);

    /** Starts no further task and interrupts the one that runs. */
    void stop();
}
