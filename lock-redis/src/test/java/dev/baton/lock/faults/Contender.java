package dev.baton.lock.faults;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A process that takes locks in a {@link FaultRun}, whatever they are made of. */
interface Contender extends AutoCloseable {

    /** Takes a lock; null: it was not granted. An interrupt ends the wait and leaves the thread interrupted. */
    @Nullable
    Holding acquire(String name, Duration wait, LeaseKind lease);

    /** As above, with all that a wish can say; one that knows a single lock only takes the first. */
    default @Nullable Holding acquire(Wish wish) throws InterruptedException {
        return acquire(wish.names().get(0), wish.waitTime(), wish.lease());
    }

    @Override
    void close();

    /**
     * What somebody asks for.
     *
     * @param tag who asks, unique
     * @param cancelAfter asked for without a thread, and cancelled so much later; null: neither
     */
    record Wish(
            List<String> names,
            String tag,
            Duration waitTime,
            LeaseKind lease,
            @Nullable Duration cancelAfter) {}

    /** How long a lock is held. */
    enum LeaseKind {
        /** Extended until it is released. */
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
