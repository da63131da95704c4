package dev.baton.lock.engine.cohort;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.engine.ticket.ClaimGroup;
import dev.baton.lock.engine.ticket.CohortPolicy;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.time.LeaseClock;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * Overview. What stands in the store for all members is one block, a claim of its own whose id is used for one grant only.
 *
 *    none --first joins--> asked --granted--> held --pass--> held by the next member, same block
 *     ^                      |                 |
 *     +---last one leaves----+                 +--bound, loss--> a new block is asked for, if anybody waits
 *     +--------------nobody waits--------------+
 *
 * The phase of a member is decided by one compare-and-set, as that of any claim: a pass and a time-out that meet have one
 * winner. The lock below guards who waits and which block is the present one; nothing is sent, and nobody is woken, under it:
 * each operation says what is left to do.
 */
/** The requests of one process for one lock that stand in the store together: they have one lease length and one recheck. */
final class Cohort implements ClaimGroup {

    /** Makes the block that stands for those who wait; it is asked for later. */
    @FunctionalInterface
    interface Opener {

        /** Makes it, as the first of them asks for it. */
        Claim open(Cohort cohort, Claim first);
    }

    /**
     * What is left to do.
     *
     * @param granted who holds the lock from now on, and is to be woken
     * @param ended the block that has to be ended
     * @param asked the block that is to be asked for
     * @param lost the member that is to be told that it has lost the lock
     * @param extended the block that the store is to extend, unless other processes wait
     */
    record Step(
            @Nullable Claim granted,
            @Nullable Claim ended,
            @Nullable Claim asked,
            @Nullable Claim lost,
            @Nullable Claim extended) {

        static final Step NOTHING = new Step(null, null, null, null, null);

        static Step grant(@Nullable Claim member, @Nullable Claim extended) {
            return new Step(member, null, null, null, extended);
        }

        static Step end(Claim block) {
            return new Step(null, block, null, null, null);
        }

        static Step ask(@Nullable Claim block) {
            return new Step(null, null, block, null, null);
        }
    }

    /** Held for moments only. */
    private final ReentrantLock lock = new ReentrantLock();
    /** By arrival. */
    private final Set<Claim> waiting = new LinkedHashSet<>();

    private final CohortPolicy policy;
    private final Opener opener;
    private final long leaseNanos;
    private final boolean renewed;
    private final @Nullable Duration recheck;

    /** Asked for or held; null: none. Written under the lock, as all below. */
    private volatile @Nullable Claim block;
    /** The member that holds the block; null: it is not held yet. */
    private volatile @Nullable Claim present;

    /** Of the present block; null: none was granted yet. */
    private @Nullable PassBudget passes;
    /** The member that held it last, and when it gave it back or lost it; null: none has. */
    private @Nullable LockHolder last;

    private volatile boolean closed;

    Cohort(CohortPolicy policy, Opener opener, Claim first) {
        this.policy = policy;
        this.opener = opener;
        this.leaseNanos = first.leaseNanos();
        this.renewed = first.renewed;
        this.recheck = first.recheck;
    }

    /** Whether a claim for its lock can be one of its members. */
    boolean suits(Claim claim) {
        return claim.leaseNanos() == leaseNanos && claim.renewed == renewed && Objects.equals(claim.recheck, recheck);
    }

    /** Nobody is in it, and nobody can join it any more. */
    boolean isClosed() {
        return closed;
    }

    /** A member waits from now on; null: it is closed. */
    @Nullable
    Step join(Claim member) {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            member.membership.joined(this, present != null);
            waiting.add(member);
            if (block != null) {
                return Step.NOTHING;
            }
            block = opener.open(this, member);
            return Step.ask(block);
        } finally {
            lock.unlock();
        }
    }

    /** A member has given up. The last one takes with it what is asked for. */
    Step left(Claim member) {
        lock.lock();
        try {
            Claim asked = block;
            if (!waiting.remove(member) || asked == null || present != null || !waiting.isEmpty()) {
                return Step.NOTHING;
            }
            close();
            return Step.end(asked);
        } finally {
            lock.unlock();
        }
    }

    /** A block is held: by the first who still waits. */
    Step granted(Claim granted, long now) {
        lock.lock();
        try {
            if (block != granted) {
                return Step.end(granted);
            }
            Grant grant = granted.grant();
            if (grant == null) {
                // lost at once, and told to be
                return Step.NOTHING;
            }
            passes = new PassBudget(policy, grant);
            if (!next(granted, grant, grant.token, granted.holder(), now)) {
                close();
                return Step.end(granted);
            }
            return Step.grant(present, null);
        } finally {
            lock.unlock();
        }
    }

    /** A member has given the lock back: it is passed on, or the block is over. */
    Step released(Claim member, long now) {
        lock.lock();
        try {
            Claim held = member.carrier();
            if (block != held || present != member) {
                // lost meanwhile; who lost it has asked anew
                return Step.end(held);
            }
            present = null;
            last = seen(member, member.lastGrant(), now);
            Grant grant = held.grant();
            PassBudget counted = passes;
            if (grant != null
                    && counted != null
                    && mayPass(held, grant, counted, now)
                    && next(held, grant, counted.pass(), last, now)) {
                return Step.grant(present, mayExtend(held, counted, now) ? held : null);
            }
            return new Step(null, held, over(), null, null);
        } finally {
            lock.unlock();
        }
    }

    /** A block was lost, and nothing of it is passed on any more. */
    Step lost(Claim gone, long now) {
        lock.lock();
        try {
            if (block != gone) {
                return Step.NOTHING;
            }
            Claim holder = present;
            if (holder != null) {
                last = seen(holder, holder.lastGrant(), now);
            }
            present = null;
            return new Step(null, null, over(), holder, null);
        } finally {
            lock.unlock();
        }
    }

    /** A block was refused: so are all who wait. */
    List<Claim> refused(Claim refused) {
        lock.lock();
        try {
            if (block != refused) {
                return List.of();
            }
            List<Claim> all = List.copyOf(waiting);
            waiting.clear();
            close();
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Who is in the way of those who wait, as far as is known; null: nobody is known. */
    @Override
    public @Nullable LockHolder holder(long now) {
        LockHolder holder = presentHolder(now);
        Claim asked = block;
        return holder != null || asked == null ? holder : asked.holder();
    }

    /** Who of this process holds the lock as it is; null: nobody. */
    @Nullable
    LockHolder presentHolder(long now) {
        Claim member = present;
        Grant grant = member == null ? null : member.grant();
        return member == null || grant == null ? null : seen(member, grant, now);
    }

    private static LockHolder seen(Claim member, Grant grant, long now) {
        return new LockHolder(
                member.label,
                member.owner,
                grant.token,
                Duration.ofNanos(Math.max(0, now - grant.grantedAt)),
                Duration.ofNanos(Math.max(0, LeaseClock.remaining(grant.end(), now))));
    }

    /** Whether one of its members holds this block. */
    @Override
    public boolean isHolding(Claim held) {
        return block == held && present != null;
    }

    /** Those who wait, first come first. */
    @Override
    public List<Claim> waiting() {
        lock.lock();
        try {
            return waiting.stream().filter(Claim::isWaiting).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Who waits here, first come first. */
    List<LockWaiter> waiters(long now) {
        return waiting().stream()
                .map(member ->
                        new LockWaiter(member.label, member.owner, Duration.ofNanos(Math.max(0, now - member.askedAt))))
                .toList();
    }

    /** As which owner those who wait stand in the queue of the store; null: they do not. */
    @Nullable
    String standsAs() {
        Claim asked = block;
        return asked != null && present == null && asked.contended() ? asked.owner : null;
    }

    /** Whether that holder is the one whom the store knows by this token. */
    boolean isKnownBy(long token) {
        Claim held = block;
        Grant grant = held == null ? null : held.grant();
        return grant != null && grant.token == token;
    }

    /** Whether somebody is known to be in the way. */
    @Override
    public boolean isContended() {
        Claim asked = block;
        return present != null || asked != null && asked.contended();
    }

    /** Whether those who wait were not granted the lock with this token: another member was, or their last answer told of it. */
    @Override
    public boolean isOvertaken(long token) {
        Claim asked = block;
        return present != null || asked == null || asked.isOvertaken(token);
    }

    /** Why the last question about it was not answered; null if it was, or none was needed. */
    @Override
    public @Nullable StoreException failure() {
        Claim asked = block;
        return present != null || asked == null ? null : asked.failure();
    }

    /** Whether what is asked for has been under way for at least so long. */
    @Override
    public boolean isUnanswered(long nanos, long now) {
        Claim asked = block;
        return present == null && asked != null && asked.isUnderWayFor(nanos, now);
    }

    private boolean mayPass(Claim held, Grant grant, PassBudget counted, long now) {
        // what is kept from others for a while, or was extended by its holder, is not as the next one wants it
        return held.isPassable() && grant.keepMillis(now) == 0 && counted.mayPass(grant.end(), leaseNanos, now);
    }

    /** Not where others were waiting just now: it is their turn next. */
    private boolean mayExtend(Claim held, PassBudget counted, long now) {
        return !held.contended() && !held.isTold() && counted.ask(leaseNanos, now);
    }

    /** Adds the tokens after this one to a block that the store has extended. */
    void extended(Claim held, long token, int reserved, long askedAt) {
        lock.lock();
        try {
            PassBudget counted = passes;
            if (block == held && counted != null) {
                counted.more(token, reserved, askedAt);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The first who still waits holds the block; false: nobody does. */
    private boolean next(Claim held, Grant grant, long token, @Nullable LockHolder seen, long now) {
        for (Iterator<Claim> all = waiting.iterator(); all.hasNext(); ) {
            Claim member = all.next();
            all.remove();
            if (member.granted(held, new Grant(grant, token, now), seen, last)) {
                present = member;
                return true;
            }
        }
        return false;
    }

    /** The block is over: another stands for those who still wait; null: nobody does. */
    private @Nullable Claim over() {
        for (Claim member : waiting) {
            if (member.isWaiting()) {
                block = opener.open(this, member);
                return block;
            }
        }
        close();
        return null;
    }

    private void close() {
        block = null;
        present = null;
        closed = true;
    }
}
