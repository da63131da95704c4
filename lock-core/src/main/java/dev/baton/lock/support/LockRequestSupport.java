package dev.baton.lock.support;

import dev.baton.lock.LockRequest;
import dev.baton.lock.store.LockStore;

/** Refuses what a request may ask for and the store that it is given to cannot do. */
final class LockRequestSupport {

    private LockRequestSupport() {}

    /** Refuses several locks where the store grants only one per request. */
    static void checkSeveral(LockRequest request, LockStore store) {
        String why = request.targets().size() > 1 ? store.oneLockOnly() : null;
        if (why != null) {
            throw new UnsupportedOperationException(
                    "Several locks together ('" + request.title() + "') cannot be granted: " + why);
        }
    }
}
