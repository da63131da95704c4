package dev.baton.lock.engine.ticket;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/*
 *      WAITING ----grant----> HELD ----release, loss----> OVER
 *         |                                                ^
 *         +-----------------give up------------------------+
 *
 * Each arrow is one compare-and-set of `phase`, so a grant and a time-out that meet have one winner.
 */
/**
 * The phases of a ticket or of an acquisition, each of which has a lifecycle of its own. Thread-safe: each change of the
 * phase has one winner.
 */
public abstract sealed class Lifecycle permits Ticket, Acquisition {

    private static final Phase WAITING = new Phase.Waiting();

    // a field instead of an object: there is a lifecycle per waiter
    private static final AtomicReferenceFieldUpdater<Lifecycle, Phase> PHASE =
            AtomicReferenceFieldUpdater.newUpdater(Lifecycle.class, Phase.class, "phase");

    private volatile Phase phase = WAITING;

    public final Phase phase() {
        return phase;
    }

    public final boolean isWaiting() {
        return phase == WAITING;
    }

    public final boolean isOver() {
        return phase instanceof Phase.Over;
    }

    public final boolean isLost() {
        return phase instanceof Phase.Over over && over.why() == Phase.Why.LOST;
    }

    /** Returns whether it is over, and a late answer has to end it in the store. */
    public final boolean isToBeEnded() {
        return phase instanceof Phase.Over over && over.why() != Phase.Why.REPLACED;
    }

    /** Returns the grant, or {@code null} if there is none yet or any longer. */
    public final @Nullable Grant grant() {
        return phase instanceof Grant grant ? grant : null;
    }

    /** Returns the grant, also after it is over. Fails if there never was one. */
    public final Grant lastGrant() {
        Grant grant = everGranted();
        if (grant == null) {
            throw new IllegalStateException(this + " was never granted");
        }
        return grant;
    }

    public final boolean wasGranted() {
        return everGranted() != null;
    }

    /** Returns the grant, also after it is over, or {@code null} if there never was one. */
    final @Nullable Grant everGranted() {
        Phase now = phase;
        return now instanceof Phase.Over over ? over.grant() : now instanceof Grant held ? held : null;
    }

    /** WAITING to HELD. Returns {@code false} if it was no longer waiting. */
    final boolean hold(Grant grant) {
        return PHASE.compareAndSet(this, WAITING, grant);
    }

    /** WAITING to OVER. Returns {@code false} if it was no longer waiting. */
    public boolean giveUp(long now) {
        return PHASE.compareAndSet(this, WAITING, new Phase.Over(null, Phase.Why.GIVEN_UP, now, ""));
    }

    /** HELD to HELD by another grant. Returns {@code false} if it no longer had the first. */
    final boolean swap(Grant grant, Grant next) {
        return PHASE.compareAndSet(this, grant, next);
    }

    /** HELD to OVER. Returns {@code false} if it no longer had this grant. */
    public final boolean end(Grant grant, Phase.Why why, long now, String reason) {
        return PHASE.compareAndSet(this, grant, new Phase.Over(grant, why, now, reason));
    }

    /**
     * RELEASED or REPLACED to LOST, because the grant turned out to have been lost before. Returns {@code false} if it
     * was not given back, or is known to be lost.
     */
    final boolean endAsLost(long now, String reason) {
        return phase instanceof Phase.Over over
                && (over.why() == Phase.Why.RELEASED || over.why() == Phase.Why.REPLACED)
                && PHASE.compareAndSet(this, over, new Phase.Over(over.grant(), Phase.Why.LOST, now, reason));
    }
}
