package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.time.Deadlines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The HELD phase of a ticket or an acquisition. Thread-safe. */
public final class Grant implements Phase {

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** The token. Changes once, if the grant is that of a reader that was a writer before. */
    public volatile long token;
    /** A number above all that were given before the grant: the token, unless readers share the lock. */
    public volatile long number;

    public final long grantedAt;
    /** How many tokens after this one the store has reserved for this process. */
    public final int reserved;
    /** The local end of the lease, which only moves later. */
    private final AtomicLong end;
    /** The time until which the lock is kept from others even if it is released earlier; only moves later. */
    private final AtomicLong keepUntil;
    /** The slot of the next renewal, or {@code null} before there is one. Written by the thread that schedules it. */
    public volatile @Nullable Long slot;

    private volatile Deadlines.@Nullable Watch watch;

    public Grant(long token, int reserved, long grantedAt, long end) {
        this(token, token, reserved, grantedAt, end);
    }

    /**
     * Creates a grant.
     *
     * @param number a number above all that were given before the grant; the token, unless readers share the lock
     */
    public Grant(long token, long number, int reserved, long grantedAt, long end) {
        this.token = token;
        this.number = number;
        this.reserved = reserved;
        this.grantedAt = grantedAt;
        this.end = new AtomicLong(end);
        this.keepUntil = new AtomicLong(grantedAt);
    }

    /** Creates the grant of a lock that is passed on: with a token of its own, and the end of the earlier lease. */
    public Grant(Grant passed, long token, long now) {
        this.token = token;
        this.number = token;
        this.reserved = 0;
        this.grantedAt = now;
        this.end = passed.end;
        this.keepUntil = passed.keepUntil;
    }

    /** Creates the grant of a reader that takes the place of a writer, with the token of the writer until there is another. */
    public static Grant ofReader(Grant writer, long now) {
        Grant grant = new Grant(writer.token, 0, now, writer.end());
        grant.keepUntil.set(writer.keepUntil.get());
        return grant;
    }

    public long end() {
        return end.get();
    }

    public LockListener.Released released(
            LockListener.Request request, List<LockListener.HandOver> handOvers, long now) {
        return new LockListener.Released(request, token, heldFor(now), handOvers);
    }

    public LockLostEvent lost(LockListener.Request request, Phase.Over over) {
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

    /** Returns how much longer the lock is kept if it is released now, in milliseconds, rounded up; 0 if not at all. */
    public long keepMillis(long now) {
        long left = keepUntil.get() - now;
        return left <= 0 ? 0 : (left + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
    }

    private static void setLater(AtomicLong time, long later) {
        time.accumulateAndGet(later, (old, now) -> now - old > 0 ? now : old);
    }
}
