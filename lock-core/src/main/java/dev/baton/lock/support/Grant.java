package dev.baton.lock.support;

import dev.baton.lock.store.Deadlines;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The HELD phase of a claim. */
final class Grant implements Claim.Phase {

    private static final long NANOS_PER_MILLI = 1_000_000;

    final long token;
    final long grantedAt;
    /** How many tokens after its own are given to nobody else, as far as is known. */
    final int reserved;
    /** Until when the lease is ours by our own clock; only ever later. */
    private final AtomicLong end;
    /** Until when the lock is kept from others even if it is released earlier; only ever later. */
    private final AtomicLong keepUntil;
    /** In which slot of the renewals it stands; written by who schedules a renewal. */
    volatile long slot;

    private volatile Deadlines.@Nullable Watch watch;

    Grant(long token, int reserved, long grantedAt, long end) {
        this.token = token;
        this.reserved = reserved;
        this.grantedAt = grantedAt;
        this.end = new AtomicLong(end);
        this.keepUntil = new AtomicLong(grantedAt);
    }

    /** Of one to whom a lock is passed on: with a token of its own, and until the end of the other's lease. */
    Grant(Grant passed, long token, long now) {
        this.token = token;
        this.reserved = 0;
        this.grantedAt = now;
        this.end = passed.end;
        this.keepUntil = passed.keepUntil;
    }

    long end() {
        return end.get();
    }

    void watchedBy(Deadlines.Watch timer) {
        watch = timer;
    }

    void unwatch() {
        Deadlines.Watch timer = watch;
        if (timer != null) {
            timer.cancel();
        }
    }

    void prolong(long later) {
        setLater(end, later);
    }

    void keepUntil(long later) {
        setLater(keepUntil, later);
    }

    /** How much longer the lock is kept if it is released now; 0: not at all. Rounded up. */
    long keepMillis(long now) {
        long left = keepUntil.get() - now;
        return left <= 0 ? 0 : (left + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
    }

    private static void setLater(AtomicLong time, long later) {
        time.accumulateAndGet(later, (old, now) -> now - old > 0 ? now : old);
    }
}
