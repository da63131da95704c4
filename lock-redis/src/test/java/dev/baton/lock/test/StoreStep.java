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

    /** The number of the request by which a writer awaits a condition is by so much higher. */
    int AWAITED = 15;

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

    /** A step at a condition. */
    sealed interface OfCondition extends StoreStep {}

    /** Lets a request that may hold the lock await a condition. */
    record Await(int process, int lock, int number) implements OfCondition {}

    /** Repeats the acquire of a request that awaits a condition, or lets it ask for its lock. */
    record AtCondition(int process, int lock, int number, boolean awaits, Kind kind) implements OfCondition {}

    /** Ends a request that awaited a condition. */
    record EndAtCondition(int process, int lock, int number, boolean taken) implements OfCondition {}

    /** Signals requests at one of two conditions, as the request with this number, or as none if it is 0. */
    record Signal(int process, int lock, int number, String condition, int most, boolean toOwner)
            implements OfCondition {}

    record Renew(int process, int locks, int number, long leaseMillis) implements StoreStep {}

    record Extend(int process, int lock, int number, long leaseMillis) implements StoreStep {}

    record ForceRelease(int lock) implements StoreStep {}

    record Expire(int lock) implements StoreStep {}

    record Inspect(int lock) implements StoreStep {}
}
