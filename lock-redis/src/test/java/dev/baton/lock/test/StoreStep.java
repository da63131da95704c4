package dev.baton.lock.test;

import dev.baton.lock.store.AcquireCommand.Kind;
import java.util.List;

/**
 * One step of a random sequence. A request is identified by its process and number, and always asks for the same locks.
 */
sealed interface StoreStep {

    /** The number of a request that gives up is by so much higher: a request never changes. */
    int GIVE_UP = 5;

    /** The numbers of readers, from this one on. A number above it shares one of several locks only. */
    int READER = 4;

    /** The number of the reader that a request becomes is by so much higher. */
    int DOWNGRADED = 10;

    /** Some requests of one process for the same locks. */
    record Acquire(int process, int locks, List<NumberedRequest> requests) implements StoreStep {}

    /** The number of a request, and its kind. */
    record NumberedRequest(int number, Kind kind) {}

    /** An acquire whose waiter gives up or falls silent before the next step. */
    record AcquireBriefly(int process, int locks, int number, boolean givesUp) implements StoreStep {}

    record End(int process, int locks, int number, boolean marked) implements StoreStep {}

    /** Ends a request for a single lock, and acquires the lock for another request. */
    record Exchange(int process, int lock, int number, int next, Kind kind, boolean marked) implements StoreStep {}

    /** Makes a reader of a request that may hold the lock. */
    record Downgrade(int process, int lock, int number) implements StoreStep {}

    record Renew(int process, int locks, int number, long leaseMillis) implements StoreStep {}

    record Extend(int process, int lock, int number, long leaseMillis) implements StoreStep {}

    record ForceRelease(int lock) implements StoreStep {}

    record Expire(int lock) implements StoreStep {}

    record Inspect(int lock) implements StoreStep {}
}
