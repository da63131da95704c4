package dev.baton.lock.faults;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A process that takes locks in a {@link FaultRun}, whatever they are made of. */
interface Contender extends AutoCloseable {

    /** Takes a lock; null: it was not granted. An interrupt ends the wait and leaves the thread interrupted. */
    @Nullable
    Holding acquire(String name, Duration wait, LeaseKind lease);

    @Override
    void close();

    /** How long a lock is held. */
    enum LeaseKind {
        /** Prolonged until it is released. */
        RENEWED,
        /** Ends after {@link FaultRun#LIMITED}, released before. */
        LIMITED,
        /** Ends after {@link FaultRun#LIMITED}, and is released too late. */
        OUTLIVED
    }

    /** What was granted. */
    interface Holding {

        long token();

        /** For how long the holder may rely on it from now on; zero: it may not. */
        Duration remaining();

        void release();
    }
}
