package dev.baton.lock.support;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Whether this machine runs a thread in time: does without a lock what an engine does when a lease ends. A test whose holder was
 * told too late says nothing if this was too late as well.
 */
public final class Punctuality implements AutoCloseable {

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    /** When a callback runs that is due in so many nanoseconds. */
    public CompletableFuture<Long> callback(long inNanos) {
        CompletableFuture<Long> at = new CompletableFuture<>();
        clock.schedule(
                () -> new Thread(() -> at.complete(System.nanoTime()), "callback").start(),
                inNanos,
                TimeUnit.NANOSECONDS);
        return at;
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
