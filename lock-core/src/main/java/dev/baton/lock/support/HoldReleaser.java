package dev.baton.lock.support;

import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.time.TimeSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/** Leaves a re-entrant hold, and releases the lock when the last entry has left. Thread-safe. */
final class HoldReleaser {

    private final HoldRegistry holds;
    private final TimeSource time;

    HoldReleaser(HoldRegistry holds, TimeSource time) {
        this.holds = holds;
        this.time = time;
    }

    /**
     * Leaves the hold. Returns whether the lock was held until now. The last entry waits for the answer of the store. Has no
     * effect on a lock that the owner has given up to await a condition.
     */
    boolean leave(LockEngine engine, ReentrantHold hold, ReentrantHold.Entry entry) {
        return switch (hold.leave(entry)) {
            case AWAY -> true;
            case NOTHING -> isHeld(engine, hold);
            case DOWNGRADE -> engine.releaser().awaitDowngrade(hold.acquisition, downgrade(engine, hold, true));
            case LAST -> released(hold, engine.releaser().release(forgotten(hold)));
        };
    }

    /** Works like {@link #leave}, without waiting. */
    CompletableFuture<Boolean> leaveAsync(LockEngine engine, ReentrantHold hold, ReentrantHold.Entry entry) {
        return switch (hold.leave(entry)) {
            case AWAY -> CompletableFuture.completedFuture(true);
            case NOTHING -> CompletableFuture.completedFuture(isHeld(engine, hold));
            case DOWNGRADE -> downgrade(engine, hold, false);
            case LAST -> engine.releaser().releaseAsync(forgotten(hold)).thenApply(held -> released(hold, held));
        };
    }

    /** Makes a lock shared whose last writer has left. Readers are in its hold, unless the last of them leaves just now. */
    private static CompletableFuture<Boolean> downgrade(LockEngine engine, ReentrantHold hold, boolean awaited) {
        ReentrantLock turning = Objects.requireNonNull(hold.turning());
        turning.lock();
        try {
            return hold.isOpen()
                    ? engine.keeper().downgrade(hold.acquisition, awaited)
                    : CompletableFuture.completedFuture(true);
        } finally {
            turning.unlock();
        }
    }

    /** Forgets a hold that is about to be released, when no other thread is about to make its lock shared. */
    private Acquisition forgotten(ReentrantHold hold) {
        ReentrantLock turning = hold.turning();
        if (turning == null) {
            holds.remove(hold);
            return hold.acquisition;
        }
        turning.lock();
        try {
            holds.remove(hold);
            return hold.acquisition;
        } finally {
            turning.unlock();
        }
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
