package dev.baton.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The lease under which the current thread works: in a method with {@code @DistributedLock}, or in a callback. */
public final class LockContext {

    private static final ThreadLocal<@Nullable Level> CURRENT = new ThreadLocal<>();

    private LockContext() {}

    /**
     * Returns the innermost lease of the current thread.
     *
     * @throws IllegalStateException if the thread works under no lock of {@code execute} or {@code @DistributedLock}: the
     *     method was called on {@code this} instead of the bean, or in another thread
     */
    public static Lease currentLease() {
        return findLease()
                .orElseThrow(() -> new IllegalStateException(
                        "thread '" + LockNames.printable(Thread.currentThread().getName())
                                + "' works under no lock; a method with @DistributedLock must be called on the bean, not on 'this', and the"
                                + " lease passed on explicitly to other threads"));
    }

    /** Returns the innermost lease of the current thread, if it works under a lock. */
    public static Optional<Lease> findLease() {
        Level innermost = CURRENT.get();
        return innermost == null ? Optional.empty() : Optional.of(innermost.lease);
    }

    /** Returns all leases under which the current thread works, innermost first; of a re-entry, each. */
    public static List<Lease> leases() {
        Level innermost = CURRENT.get();
        if (innermost == null) {
            return List.of();
        }
        List<Lease> leases = new ArrayList<>();
        for (Level level = innermost; level != null; level = level.outer) {
            leases.add(level.lease);
        }
        return leases;
    }

    /**
     * Does work with a lease as the current one. For implementations of {@link LockOperations}.
     *
     * @param lease what {@link #currentLease()} returns meanwhile, and what the work is given
     */
    public static <T extends @Nullable Object, E extends Exception> T callWith(Lease lease, LockCallback<T, E> work)
            throws E {
        Level outer = CURRENT.get();
        CURRENT.set(new Level(lease, outer));
        try {
            return work.doWithLock(lease);
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }

    /**
     * Work under a lease.
     *
     * @param outer what it is part of; null: nothing under a lock
     */
    private record Level(Lease lease, @Nullable Level outer) {}
}
