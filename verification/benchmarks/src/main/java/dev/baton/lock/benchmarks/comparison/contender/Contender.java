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

    /**
     * Takes the lock of this name as one of any number of readers, and waits until it has it. Then {@link #acquire} takes the
     * same lock as its only writer.
     *
     * @throws InterruptedException if it is interrupted
     * @throws IllegalStateException if it does not get it
     * @throws UnsupportedOperationException if this contender has no readers
     */
    default Hold acquireShared(String name) throws InterruptedException {
        throw new UnsupportedOperationException(this + " does not share the lock " + name);
    }

    /**
     * Enters a rally of two players, as one of them. The first player joins after the other one has done so.
     *
     * @param name the name of the rally
     * @param me 0 for the player that has the first turn, 1 for the other
     * @throws UnsupportedOperationException if this contender has no players
     */
    default Player join(String name, int me) {
        throw new UnsupportedOperationException(this + " does not play " + name);
    }

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
