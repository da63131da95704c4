package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockLimitException;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts waiting requests and refuses those beyond a limit. A try does not wait and is not counted. Thread-safe. */
final class WaiterLimit {

    private final AtomicInteger waiting = new AtomicInteger();
    private final Runnable leave = waiting::decrementAndGet;
    private final int most;

    WaiterLimit(int most) {
        this.most = most;
    }

    /**
     * Counts an acquisition until it is settled.
     *
     * @throws LockLimitException if the maximum number of requests already waits
     */
    void enter(Acquisition acquisition) {
        if (acquisition.spec().tries()) {
            return;
        }
        if (waiting.incrementAndGet() > most) {
            waiting.decrementAndGet();
            throw new LockLimitException(acquisition.spec().name(), most);
        }
        acquisition.onSettled(leave);
    }

    int count() {
        return waiting.get();
    }
}
