package dev.baton.lock.engine.wait;

import dev.baton.lock.LockHolder;
import dev.baton.lock.engine.ticket.ConditionWait;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Decides which tickets ask, in which way, and when again. */
final class Asking {

    private Asking() {}

    static List<Ticket> together(List<Ticket> asked, List<Ticket> behind) {
        if (behind.isEmpty()) {
            return asked;
        }
        List<Ticket> all = new ArrayList<>(asked);
        all.addAll(behind);
        return all;
    }

    static AcquireCommand.Kind kind(Ticket ticket, boolean listening) {
        if (!ticket.spec().queues()) {
            return AcquireCommand.Kind.TRY;
        }
        return listening ? AcquireCommand.Kind.MESSAGE : AcquireCommand.Kind.POLL;
    }

    /**
     * Returns the rest of the holder's lease, at most one recheck. A free lock that could not be granted counts as one
     * recheck, and so does a lock whose holder does not matter yet, because the ticket awaits a condition.
     */
    static long remaining(Ticket ticket, @Nullable LockHolder holder, Duration recheck) {
        ConditionWait wait = ticket.atCondition();
        if (wait != null && wait.isAwaiting()) {
            return recheck.toNanos();
        }
        // a lease from elsewhere may be too long to be expressed in nanoseconds, so compare first
        return holder == null || holder.remaining().compareTo(recheck) > 0
                ? recheck.toNanos()
                : holder.remaining().toNanos();
    }

    /** Returns how long a ticket waits before it asks again, as {@link WaitPolicy#afterBusy} says. */
    static long afterBusy(Ticket ticket, Duration recheck, long remainingNanos, boolean inTurn) {
        return policy(ticket, recheck)
                .afterBusy(remainingNanos, ThreadLocalRandom.current().nextDouble(), inTurn);
    }

    /** Returns how long a ticket waits before it asks again, as {@link WaitPolicy#afterFailure} says. */
    static long afterFailure(Ticket ticket, Duration recheck, int failures) {
        return policy(ticket, recheck)
                .afterFailure(failures, ThreadLocalRandom.current().nextDouble());
    }

    private static WaitPolicy policy(Ticket ticket, Duration recheck) {
        return WaitPolicy.of(recheck, ticket.spec().polling());
    }

    /** Applies what the store says of a ticket that has awaited a condition. */
    static void apply(AcquireReply reply, Ticket ticket) {
        ConditionWait wait = ticket.atCondition();
        if (wait != null) {
            wait.said(reply.conditions().get(ticket.id()));
        }
    }

    /** Lets the next acquire of a ticket that awaits a condition ask for its lock. */
    static void stopAwaiting(Ticket ticket) {
        ConditionWait wait = ticket.atCondition();
        if (wait != null) {
            wait.stop();
        }
    }
}
