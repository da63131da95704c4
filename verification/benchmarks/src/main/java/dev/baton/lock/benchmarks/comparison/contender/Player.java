package dev.baton.lock.benchmarks.comparison.contender;

/** One of two threads of different processes that hand a turn to each other. For the thread that joined. */
public interface Player extends AutoCloseable {

    /**
     * Waits for the turn.
     *
     * @throws InterruptedException if it is interrupted
     * @throws IllegalStateException if the turn does not come
     */
    void await() throws InterruptedException;

    /** Hands the turn to the other player, which waits for it or is about to. */
    void pass();

    /** Takes no further part. */
    @Override
    void close();
}
