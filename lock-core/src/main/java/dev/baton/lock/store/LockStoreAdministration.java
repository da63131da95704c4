package dev.baton.lock.store;

import dev.baton.lock.LockCapabilities;
import dev.baton.lock.LockState;
import dev.baton.lock.WaitStrategy;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Operations on a {@link LockStore} for people and tools: inspection, listing, force-release. Locks work without them. Never waits,
 * as the store itself. Thread-safe.
 */
public interface LockStoreAdministration {

    /**
     * Looks at a lock and changes nothing.
     *
     * @param waiters how many waiters are to be named, not negative
     * @param timeoutNanos when an answer is no longer awaited
     */
    CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos);

    /** Lists some of the held locks. Takes no longer than other commands, whatever the number of keys in the store. */
    CompletableFuture<ScanPage> scan(ScanCommand command);

    /**
     * Takes a lock from its holder, tells the holder, and hands the lock over as {@link LockStore#end} does.
     *
     * @param timeoutNanos when an answer is no longer awaited
     */
    CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos);

    /**
     * Describes how locks are kept and handed over. Never fails: what is not known is left out.
     *
     * @param timeoutNanos when an answer is no longer awaited
     */
    default CompletableFuture<LockCapabilities> capabilities(long timeoutNanos) {
        return CompletableFuture.completedFuture(new LockCapabilities(
                LockCapabilities.Handler.OTHER,
                WaitStrategy.GRANT,
                LockCapabilities.Topology.OTHER,
                Optional.empty(),
                false));
    }

    /**
     * Returns the store's time of day, or empty if it has none of its own.
     *
     * @param timeoutNanos when an answer is no longer awaited
     */
    default CompletableFuture<Optional<Instant>> time(long timeoutNanos) {
        return CompletableFuture.completedFuture(Optional.empty());
    }
}
