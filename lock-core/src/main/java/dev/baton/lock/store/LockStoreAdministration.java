package dev.baton.lock.store;

import dev.baton.lock.LockCapabilities;
import dev.baton.lock.LockState;
import dev.baton.lock.WaitStrategy;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Operations on a {@link LockStore} for people and tools: inspection, listing, force-release. Locks work without them.
 * Never waits, like the store. Thread-safe.
 */
public interface LockStoreAdministration {

    /**
     * Inspects a lock and changes nothing.
     *
     * @param waiters the maximum number of waiters to name, not negative
     * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds
     */
    CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos);

    /** Lists some of the held locks. Takes no longer than other commands, however many keys the store has. */
    CompletableFuture<ScanPage> scan(ScanCommand command);

    /**
     * Takes a lock from its holder, notifies the holder, and hands the lock over as {@link LockStore#end} does.
     *
     * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds
     */
    CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos);

    /**
     * Sets the size of a semaphore, whatever its processes state, and grants the permits that are free then. Takes no
     * permits back. The default fails.
     *
     * @param size how many permits may be in use, not negative
     * @param millis for how long, in milliseconds; 0: from now on, what the processes state counts again
     * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds
     * @return completes when the size is set
     */
    default CompletableFuture<LockState.Permits> resize(LockName semaphore, int size, long millis, long timeoutNanos) {
        return CompletableFuture.failedFuture(new StoreException("the store has no semaphores", false, true, null));
    }

    /**
     * Describes how locks are kept and handed over. Never fails: unknown details are omitted.
     *
     * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds
     */
    default CompletableFuture<LockCapabilities> capabilities(long timeoutNanos) {
        return CompletableFuture.completedFuture(knownCapabilities());
    }

    /**
     * Describes how locks are kept and handed over, by what the store knows already. Sends nothing to the server, and
     * returns at once, also while the server is down.
     */
    default LockCapabilities knownCapabilities() {
        return new LockCapabilities(
                LockCapabilities.Handler.OTHER, WaitStrategy.GRANT, LockCapabilities.Topology.OTHER, Optional.empty());
    }

    /**
     * Returns the store's time of day, or empty if the store has no clock of its own.
     *
     * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds
     */
    default CompletableFuture<Optional<Instant>> time(long timeoutNanos) {
        return CompletableFuture.completedFuture(Optional.empty());
    }
}
