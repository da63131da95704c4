package dev.baton.lock.time;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Where the engine reads the time, and what it waits and is woken by. Decisions rest on the monotonic clock alone. An
 * application has no reason to replace it; a test may, by one whose time it moves.
 *
 * <p>Thread-safe.
 */
public interface TimeSource {

    /** The time of the machine. */
    TimeSource SYSTEM = new TimeSource() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }
    };

    /** As {@link System#nanoTime()}: differences alone have a meaning, and it may wrap around. */
    long nanoTime();

    /** Of use only to notice that the machine slept, and as a hint for people. */
    long wallMillis();

    /**
     * Waits for a future, at most that long by this clock.
     *
     * @param nanos zero or less: only looks at it
     * @throws TimeoutException if it was not complete by then
     * @throws ExecutionException if it failed
     * @throws InterruptedException if the thread was interrupted; its flag is cleared
     */
    default <T> T await(CompletableFuture<T> future, long nanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * A new timer that runs tasks by this clock, on a thread of its own.
     *
     * @param name of its thread
     */
    default EngineTimer newTimer(String name) {
        return new ThreadTimer(name);
    }
}
