package dev.baton.lock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

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
 * @param readers all holders of a lock that is held in {@linkplain LockMode#SHARED shared mode}, in the order in which
 *     their leases end; {@code holder} is one whose lease ends last. Empty if the lock is free, or held exclusively. Of a
 *     semaphore, all that have permits; {@code holder} is one whose lease ends first
 * @param permits the permits of a semaphore; empty if this is a lock
 */
public record LockState(
        String namespace,
        String name,
        Optional<LockHolder> holder,
        List<LockWaiter> waiters,
        long waiting,
        List<LockHolder> readers,
        Optional<Permits> permits) {

    /**
     * The permits of a semaphore.
     *
     * @param size how many may be in use; empty if no process has stated a size lately
     * @param used how many are in use. May exceed {@code size} after the size has become smaller
     */
    public record Permits(OptionalInt size, int used) {

        /** Returns how many are free; 0 if the size is unknown or exceeded. */
        public int available() {
            return Math.max(0, size.orElse(0) - used);
        }
    }

    /** The maximum number of waiters that are listed. */
    public static final int MOST_WAITERS = 100;

    public LockState {
        waiters = List.copyOf(waiters);
        readers = List.copyOf(readers);
    }

    /** Creates the state of a lock that is free, or held exclusively. */
    public LockState(
            String namespace, String name, Optional<LockHolder> holder, List<LockWaiter> waiters, long waiting) {
        this(namespace, name, holder, waiters, waiting, List.of());
    }

    /** Creates the state of a lock. */
    public LockState(
            String namespace,
            String name,
            Optional<LockHolder> holder,
            List<LockWaiter> waiters,
            long waiting,
            List<LockHolder> readers) {
        this(namespace, name, holder, waiters, waiting, readers, Optional.empty());
    }

    /** Returns whether this is a lock that is held in shared mode. */
    public boolean isShared() {
        return !readers.isEmpty() && permits.isEmpty();
    }

    /** Returns whether this is a semaphore, and not a lock. */
    public boolean isSemaphore() {
        return permits.isPresent();
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
