package dev.baton.lock.support;

import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitTime;
import dev.baton.lock.engine.CallerIdentity;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.store.LockName;
import java.util.Set;

/**
 * A request with everything that its acquisition needs.
 *
 * @param running the engine that is asked
 * @param key the owner and the locks
 * @param owner the owner as the store and the listeners know it
 * @param waitTime how long the request may wait
 * @param events the events of the request
 * @param shared those of the locks that the request shares with other readers
 * @param instead whether the new lease replaces a lease that was lost
 * @param forced whether the locks are taken from their holders
 */
record PreparedRequest(
        LockEngine running,
        ReentrantHold.Key key,
        CallerIdentity caller,
        String owner,
        LockRequest request,
        WaitTime waitTime,
        RequestEvents events,
        Set<LockName> shared,
        boolean instead,
        boolean forced) {

    /** Publishes that the request is sent to the store. */
    void asked() {
        events.asked();
    }

    /** Publishes that the request has ended without a lease. */
    void failed(Throwable failure) {
        events.failed(failure);
    }

    /**
     * Returns the request with the rest of its wait time.
     *
     * @param goneNanos the part of the wait time that has passed
     */
    LockRequest rest(LockRequest next, long goneNanos) {
        WaitTime own = next.waitTime();
        return next.waitTime(RequestDefaults.left(own == null ? waitTime : own, goneNanos));
    }

    /** Returns the request with other events, in its turn. */
    PreparedRequest with(RequestEvents others) {
        return new PreparedRequest(running, key, caller, owner, request, waitTime, others, shared, instead, false);
    }

    PreparedRequest insteadOfLost() {
        return new PreparedRequest(running, key, caller, owner, request, waitTime, events, shared, true, forced);
    }

    PreparedRequest byForce() {
        return new PreparedRequest(running, key, caller, owner, request, waitTime, events, shared, instead, true);
    }
}
