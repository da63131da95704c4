package dev.baton.lock.test;

import dev.baton.lock.store.AcquireCommand.Kind;
import java.util.List;

/**
 * One step of a random sequence. A request is identified by its process and number, and always asks for the same locks.
 */
sealed interface StoreStep {

    /** The number of a request that gives up is by so much higher: a request never changes. */
    int GIVE_UP = 3;

    /** Some requests of one process for the same locks. */
    record Acquire(int process, int locks, List<NumberedRequest> requests) implements StoreStep {}

    /** The number of a request, and its kind. */
    record NumberedRequest(int number, Kind kind) {}

    /** An acquire whose waiter gives up or falls silent before the next step. */
    record AcquireBriefly(int process, int locks, int number, boolean givesUp) implements StoreStep {}

    record End(int process, int locks, int number, boolean marked) implements StoreStep {}

    /** Ends a request for a single lock, and acquires the lock for another request. */
    record Exchange(int process, int lock, int number, int next, Kind kind, boolean marked) implements StoreStep {}

    record Renew(int process, int locks, int number, long leaseMillis) implements StoreStep {}

    record Extend(int process, int lock, int number, long leaseMillis) implements StoreStep {}

    record ForceRelease(int lock) implements StoreStep {}

    record Expire(int lock) implements StoreStep {}

    record Inspect(int lock) implements StoreStep {}
}
