package dev.baton.lock;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The lease under which the current thread works: in a method with {@code @DistributedLock}, or in a callback. */
public final class LockContext {

    private static final ThreadLocal<@Nullable Lease> CURRENT = new ThreadLocal<>();

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
                        "thread '" + Thread.currentThread().getName()
                                + "' works under no lock; a method with @DistributedLock must be called on the bean, not on 'this', and the"
                                + " lease passed on explicitly to other threads"));
    }

    /** Returns the innermost lease of the current thread, if it works under a lock. */
    public static Optional<Lease> findLease() {
        return Optional.ofNullable(CURRENT.get());
    }

    /**
     * Does work with a lease as the current one. For implementations of {@link LockOperations}.
     *
     * @param lease what {@link #currentLease()} returns meanwhile, and what the work is given
     */
    public static <T extends @Nullable Object, E extends Exception> T callWith(Lease lease, LockCallback<T, E> work)
            throws E {
        Lease outer = CURRENT.get();
        CURRENT.set(lease);
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
}
