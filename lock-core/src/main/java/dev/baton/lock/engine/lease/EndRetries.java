package dev.baton.lock.engine.lease;

import dev.baton.lock.time.EngineExecutors;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Retries the ends that the store has not answered, oldest first. While the store does not answer, a single end probes
 * the store on behalf of all ends, less and less often. Once the store answers, the ends are sent in batches, each
 * batch after the answers to the batch before. However many ends are owed, they neither flood the store nor delay
 * renewals, which share the thread.
 *
 * <p>Everything but {@link #add} happens on the asker's thread, so the state needs no lock.
 */
final class EndRetries {

    static final int LARGEST_BATCH = 64;

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** An end that is owed. */
    interface Retry {

        /**
         * Sends the end. The result says whether the end was answered, and never fails. An end without an answer comes
         * back through {@link #add}.
         */
        CompletableFuture<Boolean> retry();

        /** Drops the end if nothing of its request can be left in the store. Returns whether it was dropped. */
        boolean dropIfPointless();
    }

    private final EngineExecutors executors;
    private final Queue<Retry> waiting = new ArrayDeque<>();
    private int batch = 1;
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private boolean underWay;
    private @Nullable ScheduledFuture<?> timer;

    EndRetries(EngineExecutors executors) {
        this.executors = executors;
    }

    /** Adds an end whose attempt was not answered. Called on any thread. */
    void add(Retry retry) {
        executors.onAsker(0, () -> {
            waiting.add(retry);
            if (!underWay) {
                // never wait longer here, however long the last ends stay unanswered: the store may refuse only those
                fireWithin(FIRST_PAUSE_NANOS);
            }
        });
    }

    private void fireWithin(long nanos) {
        ScheduledFuture<?> known = timer;
        if (known != null && !known.isDone() && known.getDelay(TimeUnit.NANOSECONDS) <= nanos) {
            return;
        }
        if (known != null) {
            known.cancel(false);
        }
        timer = executors.onAsker(nanos, this::fire);
    }

    private void fire() {
        if (underWay) {
            return;
        }
        List<CompletableFuture<Boolean>> answers = new ArrayList<>(batch);
        while (answers.size() < batch && !waiting.isEmpty()) {
            answers.add(waiting.remove().retry());
        }
        if (answers.isEmpty()) {
            return;
        }
        underWay = true;
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenRun(() ->
                        executors.onAsker(0, () -> answered(answers.stream().anyMatch(CompletableFuture::join))));
    }

    private void answered(boolean any) {
        underWay = false;
        if (any) {
            batch = Math.min(2 * batch, LARGEST_BATCH);
            pauseNanos = FIRST_PAUSE_NANOS;
        } else {
            batch = 1;
            pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
            waiting.removeIf(Retry::dropIfPointless);
        }
        if (!waiting.isEmpty()) {
            fireWithin(any ? 0 : pauseNanos);
        } else {
            batch = 1;
            pauseNanos = FIRST_PAUSE_NANOS;
        }
    }
}
