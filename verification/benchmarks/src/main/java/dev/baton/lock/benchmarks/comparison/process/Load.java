package dev.baton.lock.benchmarks.comparison.process;

import dev.baton.lock.benchmarks.comparison.contender.Contender;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Threads that take locks and give them back, from one moment to another.
 *
 * @param threads how many
 * @param startNanos by {@code System.nanoTime()}, which processes of one machine share
 * @param nanos for how long; an acquisition that comes later does not count
 */
public record Load(int threads, long startNanos, long nanos) {

    /** One that starts a little later, so that all threads, also of other processes, are there. */
    public static Load soon(int threads, long nanos) {
        return new Load(threads, System.nanoTime() + 50_000_000, nanos);
    }

    /**
     * Does it, and returns when all threads have ended.
     *
     * @param name which lock each thread takes
     * @return the acquisitions of each thread
     */
    public long[] run(Contender contender, IntFunction<String> name) {
        return run(number -> {
            String own = name.apply(number);
            return () -> contender.acquire(own);
        });
    }

    /**
     * Does it, and returns when all threads have ended.
     *
     * @param acquisition how each thread takes a lock
     * @return the acquisitions of each thread
     */
    public long[] run(IntFunction<Acquisition> acquisition) {
        return Crew.start(threads, number -> work(acquisition.apply(number))).await();
    }

    private long work(Acquisition acquisition) throws InterruptedException {
        await(startNanos);
        long count = 0;
        while (true) {
            Contender.Hold hold = acquisition.acquire();
            boolean inTime = System.nanoTime() - startNanos < nanos;
            hold.release();
            if (!inTime) {
                return count;
            }
            count++;
        }
    }

    private static void await(long moment) {
        long left = moment - System.nanoTime();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = moment - System.nanoTime();
        }
    }

    /** A way of taking a lock. */
    @FunctionalInterface
    public interface Acquisition {

        /** Takes the lock, and waits until it has it. */
        Contender.Hold acquire() throws InterruptedException;
    }
}
