package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.benchmarks.comparison.process.Pause;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Always the same number of requests that wait for a lock, without a thread each. */
final class WaitingRoom {

    private static final int AT_A_TIME = 500;
    private static final Duration BREATH = Duration.ofMillis(100);

    private final LockTemplate locks;
    private final LockRequest request;
    private final AtomicLong acquisitions = new AtomicLong();
    private final AtomicInteger inside = new AtomicInteger();
    private final CompletableFuture<@Nullable Void> empty = new CompletableFuture<>();
    private volatile boolean closing;

    private WaitingRoom(LockTemplate locks, LockRequest request) {
        this.locks = locks;
        this.request = request;
    }

    /** Lets so many in, a few at a time: asking for all at once would wait longer for an answer than a command may take. */
    static WaitingRoom fill(LockTemplate locks, LockRequest request, int waiters) throws InterruptedException {
        WaitingRoom room = new WaitingRoom(locks, request);
        room.inside.set(waiters);
        for (int i = 0; i < waiters; i++) {
            room.enter();
            if (i % AT_A_TIME == AT_A_TIME - 1) {
                Pause.of(BREATH);
            }
        }
        return room;
    }

    /** How many have had the lock so far. */
    long acquisitions() {
        return acquisitions.get();
    }

    /** Lets no more waiters in and returns when the last has had the lock, after two minutes at the latest. */
    void empty() throws InterruptedException {
        closing = true;
        try {
            empty.get(2, TimeUnit.MINUTES);
        } catch (ExecutionException | TimeoutException ex) {
            throw new IllegalStateException(inside + " still wait for " + request.name(), ex);
        }
    }

    private void enter() {
        locks.acquireAsync(request).whenComplete(this::granted);
    }

    private void granted(@Nullable Lease lease, @Nullable Throwable failure) {
        if (lease == null) {
            empty.completeExceptionally(new IllegalStateException("Not granted", failure));
            return;
        }
        acquisitions.incrementAndGet();
        lease.releaseAsync();
        if (!closing) {
            enter();
        } else if (inside.decrementAndGet() == 0) {
            empty.complete(null);
        }
    }
}
