package dev.baton.lock.engine.lease;

import dev.baton.lock.LockNames;
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.time.Deadlines;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.LeaseClock;
import dev.baton.lock.time.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors active leases: expires each one locally, so that a holder learns of a loss while it still works, and
 * compares the wall clock with the monotonic clock, which stops while the machine is suspended. Thread-safe.
 */
public final class LeaseMonitor {

    private static final Logger log = LoggerFactory.getLogger(LeaseMonitor.class);

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long JUMP_MILLIS = 200;

    public static final String REVOKED = "it was force-released";

    private final Map<String, Claim> held = new ConcurrentHashMap<>();
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
            EngineExecutors executors,
            TimeSource time,
            EndDispatcher ends,
            Function<LeaseRenewer.OnLost, LeaseRenewer> renewer) {
        this.executors = executors;
        this.time = time;
        this.ends = ends;
        this.renewer = renewer.apply(this::lost);
    }

    public LeaseRenewer renewer() {
        return renewer;
    }

    /**
     * Begins to monitor a lease, granted by a command sent at {@code sentAt}, or by a message that arrived at that
     * time.
     */
    public void begin(Claim claim, Grant grant, long sentAt, long now) {
        held.put(claim.id, claim);
        String reason = over;
        if (reason != null) {
            lost(claim, grant, reason);
        }
        watch(claim, grant);
        if (claim.renewed) {
            renewer.begin(claim, sentAt);
        }
        if (LeaseClock.isTooShort(grant.end(), now, claim.leaseNanos())) {
            executors.onAsker(0, () -> renewer.renewNow(claim));
        }
        if (ticking.compareAndSet(false, true)) {
            tick(new Clocks(time.wallMillis(), now));
        }
        if (claim.phase() != grant) {
            // the lease was released or lost meanwhile, so stop monitoring it
            end(claim, grant);
        } else if (claim.isRevoked(grant.token)) {
            lost(claim, grant, REVOKED);
        }
    }

    /** Records that the grant with this token was taken away. The claim may not know of that grant yet. */
    public void revoked(Claim claim, long token) {
        claim.revoked(token);
        Grant grant = claim.grant();
        if (grant != null && claim.isRevoked(grant.token)) {
            lost(claim, grant, REVOKED);
        }
    }

    /** Ends a lease that its holder releases. Returns {@code false} if the lease was lost. */
    public boolean release(Claim claim, Grant grant) {
        long now = time.nanoTime();
        if (isLost(claim, grant, now) || !claim.end(grant, Claim.Why.RELEASED, now, "")) {
            return false;
        }
        if (claim.carrier() == claim) {
            end(claim, grant);
        }
        return true;
    }

    /** Returns whether the lease is over by the local clock. The first caller to find this marks the lease as lost. */
    public boolean isLost(Claim claim, Grant grant, long now) {
        if (!LeaseClock.isOver(grant.end(), now)) {
            return false;
        }
        lost(claim, grant, LeaseRenewer.ENDED);
        return true;
    }

    /**
     * Returns whether the local clock is reliable for a lease: it has kept pace with the wall clock since the lease was
     * granted. Otherwise the machine may have been suspended, and only the store knows whether the lease is valid.
     */
    public boolean isTimely(Claim claim) {
        Long jumped = jumpedAt;
        Clocks last = compared;
        return last != null
                && !last.hasJumped(clocks())
                && (jumped == null || claim.carrier().lastGrant().grantedAt - jumped > 0);
    }

    public void lost(Claim claim, Grant grant, String reason) {
        Claim carrier = claim.carrier();
        if (carrier != claim) {
            Grant carried = carrier.grant();
            if (carried != null && claim.phase() == grant) {
                lost(carrier, carried, reason);
            }
            // the thread that marked the carrier as lost may not have notified the member yet
            lostWith(claim, carrier);
            return;
        }
        long now = time.nanoTime();
        if (!claim.end(grant, Claim.Why.LOST, now, reason)) {
            return;
        }
        // the lease is about to end, so notify the holder before anything that may take time
        told(claim, grant, reason);
        end(claim, grant);
        executors.onAsker(LeaseClock.toTell(grant.end(), now, claim.leaseNanos()), () -> ends.end(claim));
    }

    /** Notifies the member that holds a block that the block was lost. */
    public void lostWith(Claim member, Claim block) {
        Grant grant = member.grant();
        if (grant != null
                && block.phase() instanceof Claim.Over over
                && over.why() == Claim.Why.LOST
                && member.end(grant, Claim.Why.LOST, time.nanoTime(), over.reason())) {
            told(member, grant, over.reason());
        }
    }

    /** Marks all leases, and all that begin later, as lost for the given reason. */
    public void lostAll(String reason) {
        over = reason;
        for (Claim claim : held.values()) {
            Grant grant = claim.grant();
            if (grant != null) {
                lost(claim, grant, reason);
            }
        }
    }

    /** Marks a released lease as lost, because it was found to have been lost before its release. */
    public void foundLost(Claim claim, Grant grant) {
        claim.foundLost(time.nanoTime(), LeaseRenewer.UNKNOWN);
        told(claim, grant, LeaseRenewer.UNKNOWN);
    }

    private static void told(Claim claim, Grant grant, String reason) {
        claim.lost.complete(null);
        if (claim.standsFor != null) {
            return;
        }
        String names = LockNames.printable(String.join(", ", claim.releaseOutcome.lostNames()));
        String owner = LockNames.printable(claim.owner);
        log.atWarn()
                .addKeyValue("lock", names)
                .addKeyValue("scope", claim.events.scope())
                .addKeyValue("owner", owner)
                .addKeyValue("token", grant.token)
                .log("Lock '{}' was lost by {} (token {}): {}", names, owner, grant.token, reason);
    }

    public List<String> names() {
        return held.values().stream().map(claim -> claim.title).toList();
    }

    private void end(Claim claim, Grant grant) {
        held.remove(claim.id);
        grant.unwatch();
        renewer.end(claim, grant);
    }

    private void watch(Claim claim, Grant grant) {
        grant.watchedBy(executors.onClock().watch(new LocalEnd(claim, grant)));
        if (claim.phase() != grant) {
            grant.unwatch();
        }
    }

    /** The time when a lease is over by the local clock, unless it is renewed meanwhile. */
    private final class LocalEnd implements Deadlines.Deadline {

        private final Claim claim;
        private final Grant grant;

        LocalEnd(Claim claim, Grant grant) {
            this.claim = claim;
            this.grant = grant;
        }

        @Override
        public long at() {
            return grant.end();
        }

        @Override
        public void passed() {
            if (claim.phase() == grant && !isLost(claim, grant, time.nanoTime())) {
                watch(claim, grant);
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
