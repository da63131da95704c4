package dev.baton.lock.faults;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A process that acquires locks in a {@link FaultRun}, with Baton or with another kind of lock. */
interface Contender extends AutoCloseable {

    /**
     * Acquires a lock. Returns {@code null} if the lock was not granted. An interrupt ends the wait and leaves the
     * thread interrupted.
     */
    @Nullable
    HeldLock acquire(String name, Duration wait, LeaseKind lease);

    /** Acquires the locks of a wish. A contender without support for several locks acquires the first only. */
    default @Nullable HeldLock acquire(Wish wish) throws InterruptedException {
        return acquire(wish.names().get(0), wish.waitTime(), wish.lease());
    }

    @Override
    void close();

    /**
     * The parameters of one acquisition.
     *
     * @param tag the unique name of the owner
     * @param cancelAfter the delay after which an asynchronous acquisition is cancelled, or {@code null} to acquire
     *     synchronously
     */
    record Wish(
            List<String> names,
            String tag,
            Duration waitTime,
            LeaseKind lease,
            @Nullable Duration cancelAfter) {}

    /** How long a lock is held. */
    enum LeaseKind {
        /** Is renewed until the release. */
        RENEWED,
        /** Ends after {@link FaultRun#LIMITED}, and is released before. */
        LIMITED,
        /** Ends after {@link FaultRun#LIMITED}, and is released after its end. */
        OUTLIVED
    }

    /** A granted lock. */
    interface HeldLock {

        long token();

        /** Returns how long the holder may still rely on the lock; zero if the lease is over. */
        Duration remaining();

        void release();
    }
}
