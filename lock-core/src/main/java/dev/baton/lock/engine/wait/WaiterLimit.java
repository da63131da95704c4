package dev.baton.lock.engine.wait;

import dev.baton.lock.LockLimitException;
import dev.baton.lock.engine.ticket.Acquisition;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts waiting requests and refuses those beyond a limit. A try does not wait and is not counted. Thread-safe. */
public final class WaiterLimit {

    private final AtomicInteger waiting = new AtomicInteger();
    private final Runnable leave = waiting::decrementAndGet;
    private final int most;

    public WaiterLimit(int most) {
        this.most = most;
    }

    /**
     * Counts an acquisition until it is settled.
     *
     * @throws LockLimitException if the maximum number of requests already waits
     */
    public void enter(Acquisition acquisition) {
        if (acquisition.spec().tries()) {
            return;
        }
        if (waiting.incrementAndGet() > most) {
            waiting.decrementAndGet();
            throw new LockLimitException(acquisition.spec().name(), most);
        }
        acquisition.onSettled(leave);
    }

    public int count() {
        return waiting.get();
    }
}
