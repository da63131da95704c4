package dev.baton.lock.engine;

import dev.baton.lock.LockException;
import dev.baton.lock.engine.ticket.Acquisition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/** An acquisition that no thread of the application waits for. The engine's own threads end its wait. */
public final class PendingAcquisition {

    private final LockEngine engine;
    private final Acquisition acquisition;
    /**
     * Completed once, where stages complete, with the granted acquisition or the failure; or cancelled, on the thread that
     * cancels.
     */
    private final CompletableFuture<Acquisition> outcome = new CompletableFuture<>();

    private final @Nullable ScheduledFuture<?> timer;

    PendingAcquisition(LockEngine engine, Acquisition acquisition) {
        this.engine = engine;
        this.acquisition = acquisition;
        this.timer = acquisition.spec().unbounded()
                ? null
                : engine.executors()
                        .onAsker(
                                acquisition.deadline() - engine.time().nanoTime(),
                                () -> end(engine.waits().late(acquisition)));
        acquisition.settled.thenAccept(settled -> end(engine.waits().of(acquisition, settled)));
    }

    public CompletableFuture<Acquisition> outcome() {
        return outcome;
    }

    /**
     * Leaves the queue because the lock is no longer wanted. The caller releases a lock that was granted but not
     * taken yet.
     */
    public void cancel() {
        stopTimer();
        if (engine.giveUp(acquisition)) {
            outcome.cancel(false);
        }
    }

    private void end(@Nullable LockException failure) {
        stopTimer();
        if (failure == null || !engine.giveUp(acquisition)) {
            if (acquisition.wasGranted()) {
                engine.executors().complete(() -> outcome.complete(acquisition));
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
