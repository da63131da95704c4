package dev.baton.lock.support;

import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.time.TimeSource;
import java.util.concurrent.CompletableFuture;

/** Leaves a re-entrant hold, and releases the lock when the last entry has left. Thread-safe. */
final class HoldReleaser {

    private final HoldRegistry holds;
    private final TimeSource time;

    HoldReleaser(HoldRegistry holds, TimeSource time) {
        this.holds = holds;
        this.time = time;
    }

    /**
     * Leaves the hold. Returns whether the lock was held until now. The last entry waits for the answer of the store.
     */
    boolean leave(LockEngine engine, ReentrantHold hold) {
        return hold.leave() ? released(hold, engine.releaser().release(forgotten(hold))) : isHeld(engine, hold);
    }

    /** Works like {@link #leave}, without waiting. */
    CompletableFuture<Boolean> leaveAsync(LockEngine engine, ReentrantHold hold) {
        return hold.leave()
                ? engine.releaser().releaseAsync(forgotten(hold)).thenApply(held -> released(hold, held))
                : CompletableFuture.completedFuture(isHeld(engine, hold));
    }

    private Acquisition forgotten(ReentrantHold hold) {
        holds.remove(hold);
        return hold.acquisition;
    }

    private boolean released(ReentrantHold hold, boolean held) {
        if (held) {
            hold.tellRelease(time.nanoTime());
        }
        return held;
    }

    private static boolean isHeld(LockEngine engine, ReentrantHold hold) {
        Grant grant = hold.acquisition.grant();
        return grant != null && engine.keeper().isHeld(hold.acquisition, grant);
    }

    /** Waits until the store knows that the lease of a lost hold has ended, at most for one command time-out. */
    void awaitEnd(LockEngine engine, ReentrantHold hold) {
        engine.releaser().awaitEnd(hold.acquisition);
    }
}
