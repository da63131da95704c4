package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockHolder;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.Tokens;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/*
 * Overview. One claim is one acquisition and, once granted, its lease; its id is never used again.
 *
 *      WAITING ----grant----> HELD ----release, loss----> OVER
 *         |                                                ^
 *         +-------time-out, interrupt, refusal-------------+
 *
 * Each arrow is one compare-and-set of `phase`, so a grant and a time-out that meet have one winner. Who makes a claim OVER
 * ends its id in the store. An acquire may be about to be sent meanwhile; that is why `ask()` counts it before it looks at
 * the phase, and who ends looks at the count after it has set the phase: one of the two sees the other, and an acquire
 * that could run after its end is refused by a mark. One that was given to the store before the end, and whose order has not
 * changed since, cannot.
 */
/** One acquisition and, once granted, its lease. Thread-safe: each change of its phase has one winner. */
public final class Claim {

    private static final Phase WAITING = new Waiting();

    // fields instead of objects: there is a claim per waiter
    private static final AtomicReferenceFieldUpdater<Claim, Phase> PHASE =
            AtomicReferenceFieldUpdater.newUpdater(Claim.class, Phase.class, "phase");
    private static final AtomicLongFieldUpdater<Claim> REVOKED_TOKEN =
            AtomicLongFieldUpdater.newUpdater(Claim.class, "revokedToken");

    /** What a claim is. */
    public sealed interface Phase permits Waiting, Grant, Over {}

    private record Waiting() implements Phase {}

    /** Over, since then; with the grant that it had, if any. */
    public record Over(@Nullable Grant grant, Why why, long at, String reason) implements Phase {}

    /** How it came to be over. */
    public enum Why {
        GIVEN_UP,
        RELEASED,
        LOST
    }

    public final String id;
    /** Its locks, sorted: two claims for the same ones have equal lists. */
    public final List<LockName> names;
    /** What people call it. */
    public final String title;

    public final String owner;
    public final String label;
    public final boolean tries;
    public final boolean unbounded;
    public final long askedAt;
    public final long deadline;
    public final boolean renewed;
    public final boolean interruptible;
    /** How often it asks again, or {@code null} if as often as the engine does. */
    public final @Nullable Duration recheck;

    public final RequestEvents events;

    /** Completed once, to wake who waits: there is a grant, or waiting makes no sense any more. */
    public final CompletableFuture<Outcome> settled = new CompletableFuture<>();
    /** Completed once if the lease is lost; never otherwise. */
    public final CompletableFuture<Void> lost = new CompletableFuture<>();
    /** Null: it does not mind who holds the lock for how long. */
    public final @Nullable StallMonitor stallMonitor;
    /** A block stands in the store for these, and is none of them; null: it is no block. */
    public final @Nullable ClaimGroup standsFor;
    /** For how many passes a grant is to keep tokens. */
    public final int reserve;

    private volatile Phase phase = WAITING;
    private final CommandTracker commands = new CommandTracker();
    public final ReleaseOutcome releaseOutcome;
    public final Membership membership = new Membership();

    private final LastBusy busy = new LastBusy();

    /** The highest token of a grant of it that was taken away: perhaps before it is known here. */
    private volatile long revokedToken = Long.MIN_VALUE;

    /** Its holder has extended it to a length of his own. */
    private volatile boolean extended;

    private volatile long leaseNanos;
    private volatile boolean told;
    private volatile @Nullable StoreException failure;
    /** In a row; of two that overlap one may not be counted, which only shortens a back-off. */
    private int failures;

    public Claim(String id, AcquisitionSpec spec, long askedAt) {
        this(id, spec, askedAt, null, 0);
    }

    /** A block, if it stands for a cohort. */
    public Claim(String id, AcquisitionSpec spec, long askedAt, @Nullable ClaimGroup standsFor, int reserve) {
        this.id = id;
        this.standsFor = standsFor;
        this.reserve = reserve;
        this.names = spec.names();
        this.releaseOutcome = new ReleaseOutcome(id, names);
        this.title = spec.title();
        this.owner = spec.owner();
        this.label = spec.label();
        this.leaseNanos = spec.leaseNanos();
        this.renewed = spec.renewed();
        this.tries = spec.tries();
        this.unbounded = spec.unbounded();
        this.askedAt = askedAt;
        this.deadline = askedAt + spec.waitNanos();
        this.interruptible = spec.interruptible();
        this.recheck = spec.recheck();
        this.events = spec.events();
        this.stallMonitor = spec.stallNanos() == 0 ? null : new StallMonitor(this, spec.stallNanos());
    }

    public Phase phase() {
        return phase;
    }

    /** Where it waits instead of asking; null: it asks by itself. */
    @Nullable
    public ClaimGroup cohort() {
        return membership.cohort();
    }

    /** What has its lock in the store; itself unless it is a member of a cohort that was granted. */
    public Claim carrier() {
        Claim block = membership.block();
        return block == null ? this : block;
    }

    /** Whether its lock may be passed on as it is. */
    public boolean isPassable() {
        return !extended;
    }

    /** The holder extends the lease to a length of its own, with which the lock cannot be passed on. */
    public void extended() {
        extended = true;
    }

    /** Whether its lease may end later in the store than is known here. */
    public boolean mayBeRenewed() {
        return renewed || extended;
    }

    public boolean isWaiting() {
        return phase == WAITING;
    }

    public boolean isOver() {
        return phase instanceof Over;
    }

    /**
     * Also while its thread, which gave it back or gave up, is about to tell the store; not if it was lost, which is told later.
     * Of a block also while no member holds it: it is about to be passed on or ended.
     */
    public boolean isWaitingOrEnding() {
        Phase now = phase;
        return now == WAITING
                || now instanceof Over over && over.why != Why.LOST
                || now instanceof Grant && standsFor != null && !standsFor.isHolding(this);
    }

    /** Those on whose behalf it asks: itself, or of a block the members that wait. */
    public List<Claim> askers() {
        return standsFor == null ? List.of(this) : standsFor.waiting();
    }

    @Nullable
    public Grant grant() {
        return phase instanceof Grant grant ? grant : null;
    }

    /** The grant, also after it is over; only after a claim was granted. */
    public Grant lastGrant() {
        Phase now = phase;
        Grant grant = now instanceof Over over ? over.grant : now instanceof Grant held ? held : null;
        if (grant == null) {
            throw new IllegalStateException("request " + id + " was never granted");
        }
        return grant;
    }

    public boolean wasGranted() {
        Phase now = phase;
        return now instanceof Grant || now instanceof Over over && over.grant != null;
    }

    public long leaseNanos() {
        return carrier().leaseNanos;
    }

    public void leaseNanos(long nanos) {
        carrier().leaseNanos = nanos;
    }

    /** Before an acquire is sent. False: it must not be, the claim has ended or is granted. */
    public boolean ask(long now, long orderNow) {
        return commands.ask(this::isWaiting, now, orderNow);
    }

    public int attempts() {
        Claim asked = carrier();
        if (asked == this) {
            return commands.attempts();
        }
        return wasGranted() && lastGrant().token == asked.lastGrant().token ? asked.attempts() : 0;
    }

    /**
     * Whether the store may know this claim, which is over: it joined a queue, or an acquire may yet be carried out. Where the
     * store refused each acquire, or was never given one, there is nothing to end.
     */
    public boolean mayBeInStore() {
        return commands.isUncertain() || !tries && !busy.isNone();
    }

    /** The store has been given the acquire. */
    public void asked() {
        commands.asked();
    }

    /**
     * An acquire was answered.
     *
     * @param repeated whether it may be carried out once more
     */
    public void answered(boolean repeated) {
        commands.ended(repeated);
        failure = null;
        failures = 0;
    }

    /**
     * An acquire was not answered.
     *
     * @param telling whether it says something of the store
     * @return how many in a row were not
     */
    public int failed(StoreException ex, boolean telling) {
        if (telling) {
            failure = ex;
        }
        commands.ended(!ex.isUnexecuted());
        return ++failures;
    }

    /** The store answered what cannot be. */
    public void refused(@Nullable StoreException ex) {
        failure = ex;
    }

    /** Why the last acquire was not answered; null if it was. */
    @Nullable
    public StoreException failure() {
        ClaimGroup there = cohort();
        return there == null || failure != null ? failure : there.failure();
    }

    /** Whether an acquire may run after an end that is sent now, with this order of the store. */
    public boolean isDoubtful(long orderNow) {
        return commands.isDoubtful(orderNow);
    }

    /** Whether the last question about it has had no answer for at least so long. */
    public boolean isUnanswered(long nanos, long now) {
        ClaimGroup there = cohort();
        return there == null ? isUnderWayFor(nanos, now) : there.isUnanswered(nanos, now);
    }

    public boolean isUnderWay() {
        return commands.isUnderWay();
    }

    /** Whether an acquire has been under way for at least so long. */
    public boolean isUnderWayFor(long nanos, long now) {
        return commands.isUnderWayFor(nanos, now);
    }

    /**
     * What was answered to an acquire that was sent then. Before {@link #answered}: a claim that is given up meanwhile has an acquire
     * under way, or knows what the store made of it.
     */
    public void seen(AcquireReply.Answer answer, long sentAt) {
        if (answer instanceof Busy there) {
            busy.saw(sentAt, there);
        } else if (answer instanceof Granted) {
            commands.granted();
        }
    }

    @Nullable
    public LockHolder holder() {
        return busy.holder();
    }

    /** Who was last seen to hold its lock while it waited; null: nobody. Once granted. */
    @Nullable
    public LockHolder waitedFor() {
        return cohort() == null ? busy.holder() : membership.before();
    }

    public boolean contended() {
        ClaimGroup there = cohort();
        return there == null ? !busy.isNone() : membership.isContended(there);
    }

    /** As {@link LastBusy#isOvertaken}. */
    public boolean isOvertaken(long token) {
        return busy.isOvertaken(token);
    }

    /** As {@link LastBusy#evidence}. */
    public OptionalLong evidence(long token) {
        return busy.evidence(token, commands.firstSentAt());
    }

    /** A message, or the answer to another's end, has told of a grant. */
    public void told() {
        told = true;
    }

    public boolean isTold() {
        return told;
    }

    /** The grant with this token was taken away. */
    public void revoked(long token) {
        REVOKED_TOKEN.accumulateAndGet(this, token, Math::max);
    }

    public boolean isRevoked(long token) {
        return token <= revokedToken;
    }

    /** WAITING to HELD; null if it was not waiting any more. */
    @Nullable
    public Grant granted(long token, long end, long now) {
        Grant grant = new Grant(token, (int) Tokens.kept(token, reserve), now, end);
        return PHASE.compareAndSet(this, WAITING, grant) ? grant : null;
    }

    /**
     * A member's way from WAITING to HELD; false if it was not waiting any more.
     *
     * @param block what has the lock in the store
     * @param seen as {@link Membership#granted}
     * @param last as {@link Membership#granted}
     */
    public boolean granted(Claim block, Grant grant, @Nullable LockHolder seen, @Nullable LockHolder last) {
        membership.granted(block, grant.token != block.lastGrant().token, seen, last);
        return PHASE.compareAndSet(this, WAITING, grant);
    }

    /** WAITING to OVER. */
    public boolean giveUp(long now) {
        return PHASE.compareAndSet(this, WAITING, new Over(null, Why.GIVEN_UP, now, ""));
    }

    /** HELD to OVER. */
    public boolean end(Grant grant, Why why, long now, String reason) {
        return PHASE.compareAndSet(this, grant, new Over(grant, why, now, reason));
    }

    /** How much longer its locks are kept, now that it has ended: only what was released is kept. */
    public long keepMillis(long now) {
        return phase instanceof Over over && over.why == Why.RELEASED && over.grant != null
                ? over.grant.keepMillis(now)
                : 0;
    }

    /** RELEASED to LOST: the store says that it was not ours any more. */
    public void foundLost(long now, String reason) {
        phase = new Over(lastGrant(), Why.LOST, now, reason);
    }
}
