package dev.baton.lock.support;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The HELD phase of a claim. */
final class Grant implements Claim.Phase {

    final long token;
    final long grantedAt;
    /** Until when the lease is ours by our own clock; only ever later. */
    private final AtomicLong end;
    /** In which slot of the renewals it stands; written by who schedules a renewal. */
    volatile long slot;

    private volatile @Nullable ScheduledFuture<?> watch;

    Grant(long token, long grantedAt, long end) {
        this.token = token;
        this.grantedAt = grantedAt;
        this.end = new AtomicLong(end);
    }

    long end() {
        return end.get();
    }

    void watchedBy(@Nullable ScheduledFuture<?> timer) {
        watch = timer;
    }

    void unwatch() {
        ScheduledFuture<?> timer = watch;
        if (timer != null) {
            timer.cancel(false);
        }
    }

    void prolong(long later) {
        end.accumulateAndGet(later, (old, now) -> now - old > 0 ? now : old);
    }
}
