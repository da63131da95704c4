package dev.baton.lock.support;

import dev.baton.lock.LockLimitException;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the requests that wait, and refuses those beyond a limit. A try does not wait, and is not counted. */
final class WaiterLimit {

    private final AtomicInteger waiting = new AtomicInteger();
    private final int most;

    WaiterLimit(int most) {
        this.most = most;
    }

    /**
     * Counts a claim until it is settled.
     *
     * @throws LockLimitException if as many wait already as may
     */
    void enter(Claim claim) {
        if (claim.tries) {
            return;
        }
        if (waiting.incrementAndGet() > most) {
            waiting.decrementAndGet();
            throw new LockLimitException(claim.title, most);
        }
        claim.settled.whenComplete((settled, failure) -> waiting.decrementAndGet());
    }

    int count() {
        return waiting.get();
    }
}
