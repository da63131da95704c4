package dev.baton.lock.reactive;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Who holds a lock, in a chain of operators: the call, which the Reactor context carries to whatever runs inside its lock.
 *
 * @param outer of the lock around it; null: there is none
 */
record LockOwner(String id, Lease lease, @Nullable LockOwner outer) {

    private static final Object KEY = LockOwner.class;
    private static final AtomicLong CALLS = new AtomicLong();

    /**
     * The one that the request names, that of a lock around it which the request asks for as well, or a new one: what runs inside
     * the lock at the same time must not share locks that only one of its parts has taken.
     */
    static String of(LockRequest request, ContextView context) {
        String chosen = request.owner();
        if (chosen != null) {
            return chosen;
        }
        for (LockOwner around = current(context); around != null; around = around.outer) {
            if (!Collections.disjoint(around.lease.names(), request.names())) {
                return around.id;
            }
        }
        return "call-" + CALLS.incrementAndGet();
    }

    static Context in(Context context, String id, Lease lease) {
        return context.put(KEY, new LockOwner(id, lease, current(context)));
    }

    /** The leases under which a chain of operators works, innermost first. */
    static List<Lease> leases(ContextView context) {
        List<Lease> leases = new ArrayList<>();
        for (LockOwner around = current(context); around != null; around = around.outer) {
            leases.add(around.lease);
        }
        return leases;
    }

    private static @Nullable LockOwner current(ContextView context) {
        return context.getOrDefault(KEY, null);
    }
}
