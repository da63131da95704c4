package dev.baton.lock.engine.wait;

import dev.baton.lock.LockLimitException;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.Claim;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts waiting requests and refuses those beyond a limit. A try does not wait and is not counted. Thread-safe. */
public final class WaiterLimit {

    private final AtomicInteger waiting = new AtomicInteger();
    private final int most;

    public WaiterLimit(int most) {
        this.most = most;
    }

    /**
     * Counts a claim until it is settled.
     *
     * @throws LockLimitException if the maximum number of requests already waits
     */
    public void enter(Claim claim) {
        if (claim.tries) {
            return;
        }
        if (waiting.incrementAndGet() > most) {
            waiting.decrementAndGet();
            throw new LockLimitException(AcquisitionSpec.name(claim.names), most);
        }
        claim.settled.whenComplete((settled, failure) -> waiting.decrementAndGet());
    }

    public int count() {
        return waiting.get();
    }
}
