package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockHolder;
import dev.baton.lock.engine.ticket.StallPolicy.Seen;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Watches whether the lock of a waiting ticket stays with the same holder. Thread-safe. */
public final class StallMonitor {

    private final StallPolicy policy;
    private final AtomicReference<@Nullable Seen> seen = new AtomicReference<>();
    private final AtomicReference<@Nullable ScheduledFuture<?>> timer = new AtomicReference<>();
    private final BooleanSupplier waiting;

    /**
     * Creates the monitor.
     *
     * @param waiting whether the ticket still waits
     */
    StallMonitor(long stallNanos, BooleanSupplier waiting) {
        this.policy = new StallPolicy(stallNanos);
        this.waiting = waiting;
    }

    /**
     * Handles a busy answer.
     *
     * @param ask asks again, when the stall time is over
     * @return whether the holder is stuck
     */
    public boolean saw(
            @Nullable LockHolder holder, long askedAt, TimeSource time, EngineExecutors executors, Runnable ask) {
        long now = time.nanoTime();
        Seen last = seen.get();
        Seen fresh = seen.updateAndGet(known -> policy.next(known, holder, askedAt, now));
        if (policy.isStuck(fresh)) {
            return true;
        }
        if (fresh == null) {
            arm(null);
        } else if (last == null || last.since() != fresh.since() || isIdle()) {
            arm(executors.onAsker(policy.due(fresh) - now, ask));
        }
        return false;
    }

    /** Returns for how long the same holder was seen, in nanoseconds; zero if no holder was seen. */
    public long stalledNanos(long now) {
        Seen last = seen.get();
        return last == null ? 0 : now - last.since();
    }

    /** Returns whether no timer runs. */
    public boolean isIdle() {
        ScheduledFuture<?> pending = timer.get();
        return pending == null || pending.isDone();
    }

    /** Cancels the timer, because the ticket no longer waits. */
    void stop() {
        arm(null);
    }

    private void arm(@Nullable ScheduledFuture<?> next) {
        ScheduledFuture<?> old = timer.getAndSet(next);
        if (old != null) {
            old.cancel(false);
        }
        if (next != null && !waiting.getAsBoolean()) {
            next.cancel(false);
        }
    }
}
