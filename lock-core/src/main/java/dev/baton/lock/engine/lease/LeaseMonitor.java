package dev.baton.lock.engine.lease;

import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.LossReasons;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.Deadlines;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.LeaseClock;
import dev.baton.lock.time.TimeSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Monitors active leases: expires each one locally, so that a holder learns of a loss while it still works, and
 * compares the wall clock with the monotonic clock, which stops while the machine is suspended. Thread-safe.
 */
public final class LeaseMonitor {

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long JUMP_MILLIS = 200;

    private final Map<String, Ticket> held = new ConcurrentHashMap<>();
    private final AtomicBoolean ticking = new AtomicBoolean();
    private final EngineExecutors executors;
    private final TimeSource time;
    private final LeaseRenewer renewer;
    private final EndDispatcher ends;
    /** The readings of the clocks when they were last compared, or {@code null} if nothing is held. */
    private volatile @Nullable Clocks compared;
    /**
     * The time when the wall clock was last seen to have advanced without the monotonic clock, or {@code null} if
     * never.
     */
    private volatile @Nullable Long jumpedAt;
    /** The reason why no lease can be held any longer, or {@code null} while leases can be held. */
    private volatile @Nullable String over;

    public LeaseMonitor(
            LockStore store, EngineSettings settings, EngineExecutors executors, TimeSource time, EndDispatcher ends) {
        this.executors = executors;
        this.time = time;
        this.ends = ends;
        this.renewer = new LeaseRenewer(store, settings, executors, time, this::lost);
    }

    public LeaseRenewer renewer() {
        return renewer;
    }

    /**
     * Begins to monitor a lease, granted by a command sent at {@code sentAt}, or by a message that arrived at that
     * time.
     */
    public void begin(Ticket ticket, Grant grant, long sentAt, long now) {
        held.put(ticket.id(), ticket);
        String reason = over;
        if (reason != null) {
            lost(ticket, grant, reason);
        }
        watch(ticket, grant);
        begun(ticket, grant, sentAt, now);
    }

    /**
     * Begins to monitor the lease of a reader that replaces a writer. The lease is not renewed before {@link #begun}: the
     * store does not know the reader yet.
     */
    public void turns(Ticket reader, Grant grant) {
        held.put(reader.id(), reader);
        watch(reader, grant);
    }

    /** Begins to renew a lease that is monitored already, if it is to be renewed. */
    public void begun(Ticket ticket, Grant grant, long sentAt, long now) {
        if (ticket.isRenewed()) {
            renewer.begin(ticket, sentAt);
        }
        if (LeaseClock.isTooShort(grant.end(), now, ticket.leaseNanos())) {
            executors.onAsker(0, () -> renewer.renewNow(ticket));
        }
        if (ticking.compareAndSet(false, true)) {
            tick(new Clocks(time.wallMillis(), now));
        }
        if (ticket.phase() != grant) {
            // the lease was released or lost meanwhile, so stop monitoring it
            end(ticket, grant);
        } else if (ticket.isRevoked(grant.token)) {
            lost(ticket, grant, LossReasons.REVOKED);
        }
    }

    /** Records that the grant with this token was taken away. The ticket may not know of that grant yet. */
    public void revoked(Ticket ticket, long token) {
        ticket.revoked(token);
        Grant grant = ticket.grant();
        if (grant != null && ticket.isRevoked(grant.token)) {
            lost(ticket, grant, LossReasons.REVOKED);
        }
    }

    /**
     * Records that the locks of a ticket of this process were taken from all that held them, before the grant with this
     * token.
     */
    public void taken(Ticket by, long token) {
        for (Ticket other : held.values()) {
            if (other != by && !Collections.disjoint(other.names(), by.names())) {
                revoked(other, token - 1);
            }
        }
    }

    /** Ends a lease that its holder releases. Returns {@code false} if the lease was lost. */
    public boolean release(Ticket ticket, Grant grant) {
        return giveBack(ticket, grant, Phase.Why.RELEASED);
    }

    /**
     * Ends a lease by a command that lets another ticket take its place. Returns {@code false} if the lease was lost.
     * Until the store refuses the command, only the command ends the ticket there.
     */
    public boolean replace(Ticket ticket, Grant grant) {
        return giveBack(ticket, grant, Phase.Why.REPLACED);
    }

    private boolean giveBack(Ticket ticket, Grant grant, Phase.Why why) {
        long now = time.nanoTime();
        if (isLost(ticket, grant, now) || !ticket.end(grant, why, now, "")) {
            return false;
        }
        end(ticket, grant);
        return true;
    }

    /** Returns whether the lease is over by the local clock. The first caller to find this marks the lease as lost. */
    public boolean isLost(Ticket ticket, Grant grant, long now) {
        if (!LeaseClock.isOver(grant.end(), now)) {
            return false;
        }
        lost(ticket, grant, LossReasons.ENDED);
        return true;
    }

    /**
     * Returns whether the local clock is reliable for a lease: it has kept pace with the wall clock since the lease was
     * granted. Otherwise the machine may have been suspended, and only the store knows whether the lease is valid.
     */
    public boolean isTimely(Ticket ticket) {
        Long jumped = jumpedAt;
        Clocks last = compared;
        return last != null
                && !last.hasJumped(clocks())
                && (jumped == null || ticket.lastGrant().grantedAt - jumped > 0);
    }

    public void lost(Ticket ticket, Grant grant, String reason) {
        long now = time.nanoTime();
        if (!ticket.end(grant, Phase.Why.LOST, now, reason)) {
            return;
        }
        // the lease is about to end, so notify the holder before anything that may take time
        ticket.tellLost();
        end(ticket, grant);
        executors.onAsker(LeaseClock.toTell(grant.end(), now, ticket.leaseNanos()), () -> ends.end(ticket));
    }

    /** Marks all leases as lost, because another engine replaces this one. */
    public void lostByRestart() {
        lostAll(LossReasons.RESTARTED);
    }

    /** Marks all leases, and all that begin later, as lost for the given reason. */
    public void lostAll(String reason) {
        over = reason;
        for (Ticket ticket : held.values()) {
            Grant grant = ticket.grant();
            if (grant != null) {
                lost(ticket, grant, reason);
            }
        }
    }

    /** Asks the store whether a ticket still holds its locks. */
    public void ask(Ticket ticket) {
        renewer.askNow(List.of(ticket));
    }

    /** Returns the tickets of this process that hold a lock, as far as is known. */
    public List<Ticket> holding(LockName name) {
        return held.values().stream()
                .filter(ticket -> ticket.names().contains(name))
                .toList();
    }

    public List<String> names() {
        return held.values().stream().map(ticket -> ticket.title()).toList();
    }

    private void end(Ticket ticket, Grant grant) {
        held.remove(ticket.id());
        grant.unwatch();
        renewer.end(ticket, grant);
    }

    private void watch(Ticket ticket, Grant grant) {
        grant.watchedBy(executors.onClock().watch(new LocalEnd(ticket, grant)));
        if (ticket.phase() != grant) {
            grant.unwatch();
        }
    }

    /** The time when a lease is over by the local clock, unless it is renewed meanwhile. */
    private final class LocalEnd implements Deadlines.Deadline {

        private final Ticket ticket;
        private final Grant grant;

        LocalEnd(Ticket ticket, Grant grant) {
            this.ticket = ticket;
            this.grant = grant;
        }

        @Override
        public long at() {
            return grant.end();
        }

        @Override
        public void passed() {
            if (ticket.phase() == grant && !isLost(ticket, grant, time.nanoTime())) {
                watch(ticket, grant);
            }
        }
    }

    private void tick(Clocks before) {
        compared = before;
        executors.onAsker(TICK_NANOS, () -> {
            Clocks now = clocks();
            if (held.isEmpty()) {
                compared = null;
                ticking.set(false);
                // a lease that began meanwhile has seen the old value and has not started the ticks
                if (held.isEmpty() || !ticking.compareAndSet(false, true)) {
                    return;
                }
            }
            if (before.hasJumped(now)) {
                jumpedAt = now.nanos();
                renewer.askNow(held.values());
            }
            tick(now);
        });
    }

    private Clocks clocks() {
        return new Clocks(time.wallMillis(), time.nanoTime());
    }

    /** The readings of both clocks at one moment. */
    private record Clocks(long wallMillis, long nanos) {

        boolean hasJumped(Clocks later) {
            long wall = later.wallMillis - wallMillis;
            return wall - TimeUnit.NANOSECONDS.toMillis(later.nanos - nanos) > JUMP_MILLIS;
        }
    }
}
