package dev.baton.lock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What was seen of a lock. Immutable; by now it may be otherwise.
 *
 * @param namespace the nested namespace below the one of the operations that were asked first; empty: none
 * @param name the name of the lock, {@code scope.key}
 * @param holder who holds it, with what is left of the lease; empty: it is free
 * @param waiters who waits for it, first come first, at most {@value #MOST_WAITERS}; some may have died since they last asked
 * @param waiting how many wait for it; not negative. Those of another process that passes locks on within itself count as one,
 *     here and above; while that process holds the lock, they do not count at all, and its holder is the one whom Redis granted
 *     the lock
 */
public record LockState(
        String namespace, String name, Optional<LockHolder> holder, List<LockWaiter> waiters, long waiting) {

    /** How many of those who wait are named. */
    public static final int MOST_WAITERS = 100;

    public LockState {
        waiters = List.copyOf(waiters);
    }

    /** Whether somebody holds it. */
    public boolean isLocked() {
        return holder.isPresent();
    }

    /** What was left of the holder's lease; zero if it was free. */
    public Duration remaining() {
        return holder.map(LockHolder::remaining).orElse(Duration.ZERO);
    }
}
