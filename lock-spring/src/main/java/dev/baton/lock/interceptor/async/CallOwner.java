package dev.baton.lock.interceptor.async;

import dev.baton.lock.LockRequest;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The owner of the lock of a method that no thread stays in: the call. While the method itself runs, until it has
 * returned its stage, the calls that it makes may acquire the same lock again. Calls for other locks have their own
 * owners, so that two such calls that run at the same time exclude each other.
 */
final class CallOwner {

    private static final ThreadLocal<@Nullable CallOwner> CURRENT = new ThreadLocal<>();
    private static final AtomicLong CALLS = new AtomicLong();

    private final String id;
    private final List<String> names;
    private final @Nullable CallOwner outer;

    private CallOwner(String id, List<String> names, @Nullable CallOwner outer) {
        this.id = id;
        this.names = names;
        this.outer = outer;
    }

    /**
     * Returns the owner that the request names, the owner of the enclosing call that has one of its locks, or a new
     * owner.
     */
    static CallOwner of(LockRequest request) {
        CallOwner current = CURRENT.get();
        List<String> names = request.names();
        String chosen = request.owner();
        if (chosen != null) {
            return new CallOwner(chosen, names, current);
        }
        for (CallOwner around = current; around != null; around = around.outer) {
            if (!Collections.disjoint(around.names, names)) {
                return new CallOwner(around.id, names, current);
            }
        }
        return new CallOwner("async-call-" + CALLS.incrementAndGet(), names, current);
    }

    String id() {
        return id;
    }

    /** Runs an action as this owner. */
    void run(Runnable action) {
        CallOwner before = CURRENT.get();
        CURRENT.set(this);
        try {
            action.run();
        } finally {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }
}
