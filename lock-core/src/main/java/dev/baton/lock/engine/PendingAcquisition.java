package dev.baton.lock.engine;

import dev.baton.lock.LockException;
import dev.baton.lock.engine.ticket.Claim;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/** A claim that nobody's thread waits for: the engine's own threads end its wait. */
public final class PendingAcquisition {

    private final LockEngine engine;
    private final Claim claim;
    /** Completed once, on a thread for callbacks: granted, or why not; or where it is cancelled. */
    private final CompletableFuture<Claim> outcome = new CompletableFuture<>();

    private final @Nullable ScheduledFuture<?> timer;

    PendingAcquisition(LockEngine engine, Claim claim) {
        this.engine = engine;
        this.claim = claim;
        this.timer = claim.unbounded
                ? null
                : engine.executors()
                        .onAsker(
                                claim.deadline - engine.time().nanoTime(),
                                () -> end(engine.failures().late(claim)));
        claim.settled.thenAccept(settled -> end(engine.failures().of(claim, settled)));
    }

    public CompletableFuture<Claim> outcome() {
        return outcome;
    }

    /** Nobody wants it any more: leaves the queue; what was granted and not taken yet is for the caller to release. */
    public void cancel() {
        stopTimer();
        if (engine.giveUp(claim)) {
            outcome.cancel(false);
        }
    }

    private void end(@Nullable LockException failure) {
        stopTimer();
        if (failure == null || !engine.giveUp(claim)) {
            if (claim.wasGranted()) {
                engine.executors().complete(() -> outcome.complete(claim));
            }
            return;
        }
        engine.executors().complete(() -> outcome.completeExceptionally(failure));
    }

    private void stopTimer() {
        ScheduledFuture<?> running = timer;
        if (running != null) {
            running.cancel(false);
        }
    }
}
