package dev.baton.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Provides the leases under which the current thread works, in a method with {@code @DistributedLock} or in a callback.
 * Thread-safe: each thread has its own leases.
 */
public final class LockContext {

    private static final ThreadLocal<@Nullable Level> CURRENT = new ThreadLocal<>();

    private LockContext() {}

    /**
     * Returns the innermost lease of the current thread.
     *
     * @throws IllegalStateException if the thread works under no lock of {@code execute} or {@code @DistributedLock}:
     *     the method was called on {@code this} instead of the bean (self-invocation), or in another thread
     */
    public static Lease currentLease() {
        return findLease()
                .orElseThrow(() -> new IllegalStateException(
                        "thread '" + LockNames.printable(Thread.currentThread().getName())
                                + "' is not running under a lock; call the method with @DistributedLock on the bean, not on 'this', and"
                                + " pass the lease to other threads explicitly"));
    }

    /** Returns the innermost lease of the current thread, or empty if the thread works under no lock. */
    public static Optional<Lease> findLease() {
        Level innermost = CURRENT.get();
        return innermost == null ? Optional.empty() : Optional.of(innermost.lease);
    }

    /** Returns all leases under which the current thread works, innermost first, including each lease of a re-entry. */
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
     * Runs work with a lease as the current one. For implementations of {@link LockOperations}.
     *
     * @param lease the lease that {@link #currentLease()} returns meanwhile, and that is passed to the work
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
     * @param outer the enclosing work, or {@code null} if the enclosing work runs under no lock
     */
    private record Level(Lease lease, @Nullable Level outer) {}
}
