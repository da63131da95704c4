package dev.baton.lock.time;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Provides the clocks, the waits and the timers of the engine. Decisions rest on the monotonic clock alone. An
 * application has no reason to replace the time source. A test may use a time source whose time the test moves.
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

    /**
     * Returns the monotonic time as {@link System#nanoTime()} does: only differences have a meaning, and it may wrap
     * around.
     */
    long nanoTime();

    /** Returns the wall-clock time, which serves only to detect that the machine slept, and as a hint for people. */
    long wallMillis();

    /**
     * Waits for a future, at most the given time by this clock.
     *
     * @param nanos the longest wait; zero or less does not wait
     * @throws TimeoutException if the future was not complete by then
     * @throws ExecutionException if the future failed
     * @throws InterruptedException if the thread was interrupted; its flag is cleared
     */
    default <T> T await(CompletableFuture<T> future, long nanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Creates a timer that runs tasks by this clock, on a thread of its own.
     *
     * @param name the name of the thread
     */
    default EngineTimer newTimer(String name) {
        return new ThreadTimer(name);
    }
}
