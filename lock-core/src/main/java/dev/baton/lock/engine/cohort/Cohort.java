package dev.baton.lock.engine.cohort;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.CohortPolicy;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.engine.ticket.WaitStatus;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.time.LeaseClock;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/*
 * Overview. One ticket stands in the store for all members; its id is used for one grant only.
 *
 *    none --first joins--> asked --granted--> held --pass--> held by the next member, same ticket
 *     ^                      |                 |
 *     +---last one leaves----+                 +--bound, loss--> a new ticket asks, if a member waits
 *     +-------no member waits------------------+
 *
 * One compare-and-set decides the phase of a member, as of any acquisition: a pass and a time-out that meet have one
 * winner. The lock below guards the list of waiting members and the present ticket. Nothing is sent, and no caller is
 * woken, under this lock: each operation returns what is left to do.
 */
/**
 * The acquisitions of one process for one lock that share a ticket. They have the same lease length and recheck
 * interval. Thread-safe.
 */
final class Cohort implements WaitStatus {

    /**
     * The next step that the caller has to carry out.
     *
     * @param granted the member that holds the lock from now on, and is to be woken
     * @param ended the ticket that has to be ended
     * @param asked the ticket that is to ask
     * @param lost the member to be notified that it has lost the lock
     * @param extended the ticket that the store is to extend, unless other processes wait
     */
    record Step(
            @Nullable Acquisition granted,
            @Nullable Ticket ended,
            @Nullable Ticket asked,
            @Nullable Acquisition lost,
            @Nullable Ticket extended) {

        static final Step NOTHING = new Step(null, null, null, null, null);

        static Step grant(@Nullable Acquisition member, @Nullable Ticket extended) {
            return new Step(member, null, null, null, extended);
        }

        static Step end(Ticket ticket) {
            return new Step(null, ticket, null, null, null);
        }

        static Step ask(@Nullable Ticket ticket) {
            return new Step(null, null, ticket, null, null);
        }
    }

    /** Held for moments only. */
    private final ReentrantLock lock = new ReentrantLock();
    /** The members that wait, by arrival. Some may have given up. At first with room for one: most have no other. */
    private final Set<Acquisition> waiting = new LinkedHashSet<>(2);

    private final CohortPolicy policy;
    /** Creates a ticket that asks as the given member does. Sends nothing. */
    private final BiFunction<Cohort, Acquisition, Ticket> newTicket;

    private final long leaseNanos;
    private final boolean renewed;
    private final @Nullable Duration recheck;

    /** The ticket that asks or is held, or {@code null} if there is none. Written under the lock, as all below. */
    private volatile @Nullable Ticket ticket;
    /** The member that holds the lock, or {@code null} while none does. */
    private volatile @Nullable Acquisition present;

    /** The passes of the present ticket, or {@code null} if no member has waited for one yet. */
    private @Nullable PassBudget passes;
    /** The last member that held the lock, as it was when it released or lost it, or {@code null} if none did. */
    private @Nullable LockHolder last;

    private volatile boolean closed;

    Cohort(CohortPolicy policy, BiFunction<Cohort, Acquisition, Ticket> newTicket, AcquisitionSpec first) {
        this.policy = policy;
        this.newTicket = newTicket;
        this.leaseNanos = first.leaseNanos();
        this.renewed = first.renewed();
        this.recheck = first.recheck();
    }

    /** Returns whether an acquisition of its lock can be one of its members. */
    boolean suits(AcquisitionSpec spec) {
        return spec.leaseNanos() == leaseNanos && spec.renewed() == renewed && Objects.equals(spec.recheck(), recheck);
    }

    /** Returns whether the cohort is empty, and can no longer be joined. */
    boolean isClosed() {
        return closed;
    }

    /** Adds a waiting member. Returns {@code null} if the cohort is closed. */
    @Nullable
    Step join(Acquisition member) {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            member.waitsIn(this, present != null);
            waiting.add(member);
            if (ticket != null) {
                return Step.NOTHING;
            }
            ticket = newTicket.apply(this, member);
            return Step.ask(ticket);
        } finally {
            lock.unlock();
        }
    }

    /** Removes a member that has given up. With the last member, the ticket is no longer wanted. */
    Step left(Acquisition member) {
        lock.lock();
        try {
            Ticket asked = ticket;
            if (!waiting.remove(member) || asked == null || present != null || !waiting.isEmpty()) {
                return Step.NOTHING;
            }
            close();
            return Step.end(asked);
        } finally {
            lock.unlock();
        }
    }

    /** Gives a granted ticket to the first member that still waits. */
    Step granted(Ticket granted, long now) {
        lock.lock();
        try {
            if (ticket != granted) {
                return Step.end(granted);
            }
            Grant grant = granted.grant();
            if (grant == null) {
                // lost just now, which is about to be reported
                return Step.NOTHING;
            }
            passes = null;
            if (!next(granted, grant, granted.holder(now))) {
                close();
                return Step.end(granted);
            }
            return Step.grant(present, null);
        } finally {
            lock.unlock();
        }
    }

    /** Passes a lock on that a member has released, or ends the ticket. */
    Step released(Acquisition member, long now) {
        lock.lock();
        try {
            Ticket held = member.ticket();
            if (ticket != held || present != member) {
                // lost meanwhile, and a new ticket asks for the members that wait
                return Step.end(held);
            }
            if (waiting.isEmpty()) {
                close();
                return Step.end(held);
            }
            present = null;
            last = seen(member, member.lastGrant(), now);
            Grant grant = held.grant();
            if (grant != null) {
                PassBudget counted = passes == null ? new PassBudget(policy, grant) : passes;
                passes = counted;
                if (mayPass(held, grant, counted, now) && next(held, new Grant(grant, counted.pass(), now), last)) {
                    return Step.grant(present, mayExtend(held, counted, now) ? held : null);
                }
            }
            return new Step(null, held, over(), null, null);
        } finally {
            lock.unlock();
        }
    }

    /** Takes out a member that becomes a reader. Its ticket is neither passed on nor ended here. */
    Step leaves(Acquisition member, long now) {
        lock.lock();
        try {
            if (ticket != member.ticket() || present != member) {
                return Step.NOTHING;
            }
            present = null;
            last = seen(member, member.lastGrant(), now);
            return Step.ask(over());
        } finally {
            lock.unlock();
        }
    }

    /** Handles the loss of a ticket: its lock is not passed on any more. */
    Step lost(Ticket gone, long now) {
        lock.lock();
        try {
            if (ticket != gone) {
                return Step.NOTHING;
            }
            Acquisition holder = present;
            if (holder != null) {
                last = seen(holder, holder.lastGrant(), now);
            }
            present = null;
            return new Step(null, null, over(), holder, null);
        } finally {
            lock.unlock();
        }
    }

    /** Returns all members that wait, because their ticket was refused. The cohort is closed then. */
    List<Acquisition> refused(Ticket refused) {
        lock.lock();
        try {
            if (ticket != refused || !refused.isWaiting()) {
                // an acquire that was late is refused, but the ticket has its grant
                return List.of();
            }
            List<Acquisition> all = List.copyOf(waiting);
            waiting.clear();
            close();
            return all;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable LockHolder holder(long now) {
        LockHolder holder = presentHolder(now);
        Ticket asked = ticket;
        return holder != null || asked == null ? holder : asked.holder(now);
    }

    /** Returns the member that holds the lock as a holder, or {@code null} if none does. */
    @Nullable
    LockHolder presentHolder(long now) {
        Acquisition member = present;
        Grant grant = member == null ? null : member.grant();
        return member == null || grant == null ? null : seen(member, grant, now);
    }

    private static LockHolder seen(Acquisition member, Grant grant, long now) {
        return new LockHolder(
                member.spec().label(),
                member.owner(),
                grant.token,
                Duration.ofNanos(Math.max(0, now - grant.grantedAt)),
                Duration.ofNanos(Math.max(0, LeaseClock.remaining(grant.end(), now))));
    }

    /** Returns the member that holds the lock by this ticket, or {@code null} if none does. */
    @Nullable
    Acquisition holding(Ticket held) {
        Acquisition member = present;
        return member == null ? null : member.holding(held);
    }

    /** Returns the members that wait, first come first. */
    List<Acquisition> waiting() {
        lock.lock();
        try {
            return waiting.stream().filter(Acquisition::isWaiting).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the members that wait as waiters, first come first. */
    List<LockWaiter> waiters(long now) {
        return waiting().stream()
                .map(member -> new LockWaiter(
                        member.spec().label(), member.owner(), Duration.ofNanos(Math.max(0, now - member.askedAt()))))
                .toList();
    }

    /** Returns as which owner the members stand in the queue of the store, or {@code null} if they do not. */
    @Nullable
    String standsAs() {
        Ticket asked = ticket;
        return asked != null && present == null && asked.isContended() ? asked.owner() : null;
    }

    /** Returns whether the store knows the holder of this cohort by the given token. */
    boolean isKnownBy(long token) {
        Ticket held = ticket;
        Grant grant = held == null ? null : held.grant();
        return grant != null && grant.token == token;
    }

    @Override
    public boolean isContended() {
        Ticket asked = ticket;
        return present != null || asked != null && asked.isContended();
    }

    @Override
    public boolean isOvertaken(long token) {
        Ticket asked = ticket;
        return present != null || asked == null || asked.isOvertaken(token);
    }

    @Override
    public @Nullable StoreException failure() {
        Ticket asked = ticket;
        return present != null || asked == null ? null : asked.failure();
    }

    @Override
    public boolean isUnanswered(long nanos, long now) {
        Ticket asked = ticket;
        return present == null && asked != null && asked.isUnanswered(nanos, now);
    }

    private boolean mayPass(Ticket held, Grant grant, PassBudget counted, long now) {
        // a lock that is kept for a while, or was extended by its holder, has not the lease that the next member wants
        return held.isPassable() && grant.keepMillis(now) == 0 && counted.mayPass(grant.end(), leaseNanos, now);
    }

    /** Returns whether to extend the ticket: not if other processes were waiting just now, because it is their turn next. */
    private boolean mayExtend(Ticket held, PassBudget counted, long now) {
        return !held.isContended() && !held.isTold() && counted.ask(leaseNanos, now);
    }

    /** Adds the tokens after this one to a ticket that the store has extended. */
    void extended(Ticket held, long token, int reserved, long askedAt) {
        lock.lock();
        try {
            PassBudget counted = passes;
            if (ticket == held && counted != null) {
                counted.more(token, reserved, askedAt);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Gives the lock to the first member that still waits. Returns {@code false} if none does. */
    private boolean next(Ticket held, Grant grant, @Nullable LockHolder seen) {
        for (Iterator<Acquisition> all = waiting.iterator(); all.hasNext(); ) {
            Acquisition member = all.next();
            all.remove();
            if (member.takes(held, grant, seen, last)) {
                present = member;
                return true;
            }
        }
        return false;
    }

    /** Replaces a ticket that is over. Returns the new ticket, or {@code null} if no member waits. */
    private @Nullable Ticket over() {
        for (Acquisition member : waiting) {
            if (member.isWaiting()) {
                ticket = newTicket.apply(this, member);
                return ticket;
            }
        }
        close();
        return null;
    }

    private void close() {
        ticket = null;
        present = null;
        closed = true;
    }
}
