package dev.baton.lock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A snapshot of a lock. Immutable; the state may have changed since.
 *
 * @param namespace the nested namespace below the one of the store, including those of
 *     {@link LockOperations#withNamespace}; empty if there is none
 * @param name the name of the lock, {@code scope.key}
 * @param holder the holder, with the remaining time of its lease; empty if the lock is free
 * @param waiters the waiters in order of arrival, at most {@value #MOST_WAITERS}; some may have died since they last
 *     asked
 * @param waiting the number of waiters; not negative. Waiters of another process that passes locks on within itself
 *     count as one, here and in {@code waiters}. While that process holds the lock, they do not count at all, and
 *     {@code holder} is the holder to which Redis granted the lock
 */
public record LockState(
        String namespace, String name, Optional<LockHolder> holder, List<LockWaiter> waiters, long waiting) {

    /** The maximum number of waiters that are listed. */
    public static final int MOST_WAITERS = 100;

    public LockState {
        waiters = List.copyOf(waiters);
    }

    /** Returns whether the lock is held. */
    public boolean isLocked() {
        return holder.isPresent();
    }

    /** Returns the remaining time of the holder's lease; zero if the lock was free. */
    public Duration remaining() {
        return holder.map(LockHolder::remaining).orElse(Duration.ZERO);
    }
}
