package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockHolder;
import dev.baton.lock.engine.ticket.StallPolicy.Seen;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Watches, for one claim, whether its lock stays with the same holder. Its timer goes when the claim is settled. */
public final class StallMonitor {

    private final StallPolicy policy;
    private final AtomicReference<@Nullable Seen> seen = new AtomicReference<>();
    private final AtomicReference<@Nullable ScheduledFuture<?>> timer = new AtomicReference<>();
    private final Claim claim;

    StallMonitor(Claim claim, long stallNanos) {
        this.claim = claim;
        this.policy = new StallPolicy(stallNanos);
        claim.settled.whenComplete((settled, failure) -> arm(null));
    }

    /**
     * An acquire was answered busy.
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

    /** How long the claim has seen the same holder; zero if it sees none. */
    public long stalledNanos(long now) {
        Seen last = seen.get();
        return last == null ? 0 : now - last.since();
    }

    /** Whether no timer runs. */
    public boolean isIdle() {
        ScheduledFuture<?> pending = timer.get();
        return pending == null || pending.isDone();
    }

    private void arm(@Nullable ScheduledFuture<?> next) {
        ScheduledFuture<?> old = timer.getAndSet(next);
        if (old != null) {
            old.cancel(false);
        }
        if (next != null && claim.settled.isDone()) {
            next.cancel(false);
        }
    }
}
