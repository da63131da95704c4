package dev.baton.lock.benchmarks.comparison.contender;

/** One way of locking, in one process. May be used by any number of threads. */
public interface Contender extends AutoCloseable {

    /**
     * Takes the lock of this name, and waits until it has it.
     *
     * @throws InterruptedException if it is interrupted
     * @throws IllegalStateException if it does not get it
     */
    Hold acquire(String name) throws InterruptedException;

    /** What has to be there once before a lock of this name can be taken; called in one process only. */
    default void prepare(String name) {}

    @Override
    default void close() {}

    /** A lock that is held; given back by the thread that took it. */
    @FunctionalInterface
    interface Hold {

        /** Gives it back. */
        void release();
    }
}
