package dev.baton.lock.support;

import java.util.concurrent.CompletableFuture;

/** Leaves a hold, and gives the lock back if that was its last entry. */
interface Leaving {

    /** Whether it was ours until now; waits for the answer of the store. */
    boolean leave(Hold hold);

    /** As {@link #leave(Hold)}, without waiting. */
    CompletableFuture<Boolean> leaveAsync(Hold hold);
}
