package dev.baton.lock.faults;

import java.util.List;
import java.util.Random;

/** Lets faults happen while locks are used. */
interface FaultSource extends AutoCloseable {

    /**
     * Lets one fault happen, and returns when it is over.
     *
     * @param threads the threads that use the locks
     * @return what kind of fault it was
     */
    String happen(Random random, List<Thread> threads) throws Exception;

    /** Returns the longest pause between two faults. */
    int pauseMillis();

    @Override
    void close();
}
