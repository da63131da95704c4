package dev.baton.lock.test;

import dev.baton.lock.store.AcquireCommand.Kind;
import java.util.List;

/** One step of a random sequence. A request is named by its process and number; it asks for its own locks only. */
sealed interface StoreStep {

    /** Some requests of one process for the same locks. */
    record Acquire(int process, int locks, List<Asked> requests) implements StoreStep {}

    /** A number of a request, and what it is. */
    record Asked(int number, Kind kind) {}

    /** One that gives up, or whose process says nothing more, before the next step. */
    record AcquireBriefly(int process, int locks, int number, boolean givesUp) implements StoreStep {}

    record End(int process, int locks, int number, boolean marked) implements StoreStep {}

    /** Ends one request, which asks for a single lock, and asks for it by another. */
    record Exchange(int process, int lock, int number, int next, Kind kind, boolean marked) implements StoreStep {}

    record Renew(int process, int locks, int number, long leaseMillis) implements StoreStep {}

    record Extend(int process, int lock, int number, long leaseMillis) implements StoreStep {}

    record ForceRelease(int lock) implements StoreStep {}

    record Expire(int lock) implements StoreStep {}

    record Inspect(int lock) implements StoreStep {}
}
