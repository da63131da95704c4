package dev.baton.lock.reactive;

import dev.baton.lock.LockRequest;
import java.util.concurrent.atomic.AtomicLong;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Who asks, in a chain of operators: the call, which the Reactor context carries to whatever runs inside its lock. */
final class LockOwner {

    private static final Object KEY = LockOwner.class;
    private static final AtomicLong CALLS = new AtomicLong();

    private LockOwner() {}

    /** The one that the request names, that of the lock around it, or a new one. */
    static String of(LockRequest request, ContextView context) {
        String chosen = request.owner();
        return chosen != null
                ? chosen
                : context.<String>getOrEmpty(KEY).orElseGet(() -> "call-" + CALLS.incrementAndGet());
    }

    static Context in(Context context, String owner) {
        return context.put(KEY, owner);
    }
}
