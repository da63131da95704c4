package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.OnLost;
import dev.baton.lock.engine.event.GrantDetails;
import dev.baton.lock.time.Deadlines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The HELD phase of a claim. */
public final class Grant implements Claim.Phase {

    private static final long NANOS_PER_MILLI = 1_000_000;

    public final long token;
    public final long grantedAt;
    /** How many tokens after its own the store keeps for this process. */
    public final int reserved;
    /** Until when the lease is ours by our own clock; only ever later. */
    private final AtomicLong end;
    /** Until when the lock is kept from others even if it is released earlier; only ever later. */
    private final AtomicLong keepUntil;
    /** In which slot of the renewals it stands; written by who schedules a renewal. */
    public volatile long slot;

    private volatile Deadlines.@Nullable Watch watch;

    public Grant(long token, int reserved, long grantedAt, long end) {
        this.token = token;
        this.reserved = reserved;
        this.grantedAt = grantedAt;
        this.end = new AtomicLong(end);
        this.keepUntil = new AtomicLong(grantedAt);
    }

    /** Of one to whom a lock is passed on: with a token of its own, and until the end of the other's lease. */
    public Grant(Grant passed, long token, long now) {
        this.token = token;
        this.reserved = 0;
        this.grantedAt = now;
        this.end = passed.end;
        this.keepUntil = passed.keepUntil;
    }

    public long end() {
        return end.get();
    }

    /** How the lease that a claim was granted came to be. */
    public GrantDetails details(Claim claim, OnLost onLost) {
        Duration waited = Duration.ofNanos(grantedAt - claim.askedAt);
        // the message of a hand-over may overtake the busy answer to the acquire: the lock was contended then, too
        boolean contended = claim.contended() || claim.carrier().isTold();
        return new GrantDetails(waited, contended, claim.attempts(), onLost, claim.waitedFor());
    }

    public LockListener.Released released(
            LockListener.Request request, List<LockListener.HandOver> handOvers, long now) {
        return new LockListener.Released(request, token, heldFor(now), handOvers);
    }

    public LockLostEvent lost(LockListener.Request request, Claim.Over over) {
        return new LockLostEvent(request, token, heldFor(over.at()), over.reason());
    }

    private Duration heldFor(long until) {
        return Duration.ofNanos(Math.max(0, until - grantedAt));
    }

    public void watchedBy(Deadlines.Watch timer) {
        watch = timer;
    }

    public void unwatch() {
        Deadlines.Watch timer = watch;
        if (timer != null) {
            timer.cancel();
        }
    }

    public void extend(long later) {
        setLater(end, later);
    }

    public void keepUntil(long later) {
        setLater(keepUntil, later);
    }

    /** How much longer the lock is kept if it is released now; 0: not at all. Rounded up. */
    public long keepMillis(long now) {
        long left = keepUntil.get() - now;
        return left <= 0 ? 0 : (left + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
    }

    private static void setLater(AtomicLong time, long later) {
        time.accumulateAndGet(later, (old, now) -> now - old > 0 ? now : old);
    }
}
