package dev.baton.lock.reactive;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The owner of a lock in a chain of operators: the call. The Reactor context carries the owner to everything that runs
 * inside its lock.
 *
 * @param request the request of the lock, with its owner
 * @param outer the owner of the enclosing lock, or {@code null} if there is none
 */
record LockOwner(LockRequest request, Lease lease, @Nullable LockOwner outer) {

    private static final Object KEY = LockOwner.class;
    private static final AtomicLong CALLS = new AtomicLong();

    /**
     * Returns the request with its owner: the owner that the request names, that of an enclosing lock that the request
     * also asks for, or a new one. Parts that run inside the lock at the same time must not share locks that only one
     * of them has acquired.
     */
    static LockRequest owned(LockRequest request, ContextView context) {
        if (request.owner() != null) {
            return request;
        }
        for (LockOwner around = current(context); around != null; around = around.outer) {
            if (isBeside(around.request, request) && !Collections.disjoint(around.lease.names(), request.names())) {
                return request.owner(around.request.owner());
            }
        }
        return request.owner("call-" + CALLS.incrementAndGet());
    }

    static Context in(Context context, LockRequest owned, Lease lease) {
        return context.put(KEY, new LockOwner(owned, lease, current(context)));
    }

    /** Returns the leases under which a chain of operators works, innermost first. */
    static List<Lease> leases(ContextView context) {
        List<Lease> leases = new ArrayList<>();
        for (LockOwner around = current(context); around != null; around = around.outer) {
            leases.add(around.lease);
        }
        return leases;
    }

    /**
     * Requests a lease as work under the leases of the chain. The request then learns if one of these leases, for the
     * same lock, was lost.
     */
    static <T> T ask(ContextView context, Supplier<T> asking) {
        return ask(current(context), asking);
    }

    private static <T> T ask(@Nullable LockOwner around, Supplier<T> asking) {
        return around == null
                ? asking.get()
                : ask(around.outer, () -> LockContext.callWith(around.lease, lease -> asking.get()));
    }

    /** Returns whether a chain of operators works under all locks of a request that names no owner. */
    static boolean isHeld(LockRequest request, ContextView context) {
        for (LockOwner around = current(context); around != null; around = around.outer) {
            if (covers(around.request, around.lease, request)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether a lease has all locks of a request that names no owner.
     *
     * @param taken the request for which the lease was granted
     */
    static boolean covers(LockRequest taken, Lease lease, LockRequest request) {
        return request.owner() == null
                && isBeside(taken, request)
                && lease.names().containsAll(request.names());
    }

    /** Returns whether locks of the same name are the same lock. */
    private static boolean isBeside(LockRequest taken, LockRequest request) {
        return Objects.equals(taken.namespace(), request.namespace());
    }

    private static @Nullable LockOwner current(ContextView context) {
        return context.getOrDefault(KEY, null);
    }
}
