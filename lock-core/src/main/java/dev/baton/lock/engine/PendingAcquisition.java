package dev.baton.lock.engine;

import dev.baton.lock.LockException;
import dev.baton.lock.engine.ticket.Claim;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/** A claim that no thread of the application waits for. The engine's own threads end its wait. */
public final class PendingAcquisition {

    private final LockEngine engine;
    private final Claim claim;
    /**
     * Completed once, where stages complete, with the granted claim or the failure; or cancelled, on the thread that
     * cancels.
     */
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

    /**
     * Leaves the queue because the claim is no longer wanted. The caller releases a claim that was granted but not
     * taken yet.
     */
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
