package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.store.LockName;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Registers the holds of this process by owner and lock. Thread-safe. */
final class HoldRegistry {

    private record Key(String owner, LockName name) {}

    private final ConcurrentHashMap<Key, ReentrantHold> holds = new ConcurrentHashMap<>();

    /** Returns a hold that the owner has of at least one of these locks, or {@code null} if there is none. */
    @Nullable
    ReentrantHold find(String owner, List<LockName> names) {
        for (LockName name : names) {
            ReentrantHold known = holds.get(new Key(owner, name));
            if (known != null) {
                return known;
            }
        }
        return null;
    }

    /**
     * Returns the lost lease of these locks under which the current thread works for that owner, or {@code null} if
     * there is none. The lease is over for all others, but the work under the lease must not go on as if it had the
     * lock.
     */
    @Nullable
    DefaultLease lostAround(ReentrantHold.Key key) {
        for (Lease lease : LockContext.leases()) {
            if (lease instanceof DefaultLease handle && handle.hold().isFor(this, key) && handle.isExpired()) {
                return handle;
            }
        }
        return null;
    }

    /** Lists the hold until it is lost or removed. */
    void add(ReentrantHold hold) {
        hold.listedIn(this);
        for (LockName name : hold.acquisition.names()) {
            holds.put(new Key(hold.key.owner(), name), hold);
        }
        // a lost lease that is never closed must not stay here, nor keep its owner from the lock
        hold.acquisition.onLoss(hold::unlist);
    }

    void remove(ReentrantHold hold) {
        for (LockName name : hold.acquisition.names()) {
            holds.remove(new Key(hold.key.owner(), name), hold);
        }
    }
}
