package dev.baton.lock.support;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockListener;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.StoreException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
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
final class Claim {

    private static final Phase WAITING = new Waiting();

    /** What a claim is. */
    sealed interface Phase permits Waiting, Grant, Over {}

    private record Waiting() implements Phase {}

    /** Over, since then; with the grant that it had, if any. */
    record Over(@Nullable Grant grant, Why why, long at, String reason) implements Phase {}

    enum Settled {
        GRANTED,
        REFUSED,
        /** The same holder has kept the lock for the stall time. */
        STALLED,
        FAILED
    }

    enum Why {
        GIVEN_UP,
        RELEASED,
        LOST
    }

    final String id;
    /** Its locks, sorted: two claims for the same ones have equal lists. */
    final List<LockName> names;
    /** What people call it. */
    final String title;

    final String owner;
    final String label;
    final boolean tries;
    final boolean unbounded;
    final long askedAt;
    final long deadline;
    final boolean renewed;
    final WaitManner manner;
    final Story story;

    /** Completed once, to wake who waits: there is a grant, or waiting makes no sense any more. */
    final CompletableFuture<Settled> settled = new CompletableFuture<>();
    /** Completed once if the lease is lost; never otherwise. */
    final CompletableFuture<Void> lost = new CompletableFuture<>();
    /** Null: it does not mind who holds the lock for how long. */
    final @Nullable StallWatch stall;

    private final AtomicReference<Phase> phase = new AtomicReference<>(WAITING);
    /** Acquires that are just being given to the store. */
    private final AtomicInteger sending = new AtomicInteger();
    /** Acquires given to the store, and neither answered nor given up. */
    private final AtomicInteger underWay = new AtomicInteger();
    /** Acquires given to the store in all. */
    private final AtomicInteger attempts = new AtomicInteger();
    /** The last acquire that was answered busy, by when it was sent. */
    private final AtomicReference<@Nullable BusyAt> busy = new AtomicReference<>();

    /** The highest token of a grant of it that was taken away: perhaps before it is known here. */
    private final AtomicLong revokedToken = new AtomicLong(Long.MIN_VALUE);

    private volatile long leaseNanos;
    private volatile long firstSentAt;
    private volatile boolean sent;
    private volatile boolean told;
    /** What the store's order was when the last acquire was given to it. */
    private volatile long order;
    /** An acquire was given up without an answer: it may run at any time. */
    private volatile boolean unanswered;

    /** Who was granted its locks when it was released, as far as the store has said. */
    private volatile List<String> handedTo = List.of();

    /** Those of its locks that were found lost; empty: none, or all of them. */
    private volatile List<LockName> missing = List.of();

    private volatile @Nullable StoreException failure;
    /** Written by whatever handles an answer or its absence: one acquire at a time, but for a rare overlap that only
     * shortens a back-off. */
    private int failures;

    Claim(String id, ClaimSpec spec, long askedAt) {
        this.id = id;
        this.names = spec.names();
        this.title = spec.title();
        this.owner = spec.owner();
        this.label = spec.label();
        this.leaseNanos = spec.leaseNanos();
        this.renewed = spec.renewed();
        this.tries = spec.tries();
        this.unbounded = spec.unbounded();
        this.askedAt = askedAt;
        this.deadline = askedAt + spec.waitNanos();
        this.manner = spec.manner();
        this.story = spec.story();
        this.stall = manner.stallNanos() == 0 ? null : new StallWatch(this, manner.stallNanos());
    }

    Phase phase() {
        return phase.get();
    }

    boolean isWaiting() {
        return phase.get() == WAITING;
    }

    boolean isOver() {
        return phase.get() instanceof Over;
    }

    /** Also while its thread, which gave it back or gave up, is about to tell the store; not if it was lost, which is told later. */
    boolean isWaitingOrEnding() {
        Phase now = phase.get();
        return now == WAITING || now instanceof Over over && over.why != Why.LOST;
    }

    @Nullable
    Grant grant() {
        return phase.get() instanceof Grant grant ? grant : null;
    }

    /** The grant, also after it is over; only after a claim was granted. */
    Grant lastGrant() {
        Phase now = phase.get();
        Grant grant = now instanceof Over over ? over.grant : now instanceof Grant held ? held : null;
        if (grant == null) {
            throw new IllegalStateException("request " + id + " was never granted");
        }
        return grant;
    }

    boolean wasGranted() {
        Phase now = phase.get();
        return now instanceof Grant || now instanceof Over over && over.grant != null;
    }

    long leaseNanos() {
        return leaseNanos;
    }

    void leaseNanos(long nanos) {
        leaseNanos = nanos;
    }

    /** Before an acquire is sent. False: it must not be, the claim has ended or is granted. */
    boolean ask(long now, long orderNow) {
        sending.incrementAndGet();
        if (!isWaiting()) {
            sending.decrementAndGet();
            return false;
        }
        if (underWay.getAndIncrement() > 0 && order != orderNow) {
            unanswered = true;
        }
        order = orderNow;
        attempts.incrementAndGet();
        if (!sent) {
            firstSentAt = now;
            sent = true;
        }
        return true;
    }

    int attempts() {
        return attempts.get();
    }

    /** The store has been given the acquire. */
    void asked() {
        sending.decrementAndGet();
    }

    /**
     * An acquire was answered.
     *
     * @param repeated whether it may be carried out once more
     */
    void answered(boolean repeated) {
        underWay.decrementAndGet();
        if (repeated) {
            unanswered = true;
        }
        failure = null;
        failures = 0;
    }

    /**
     * An acquire was not answered.
     *
     * @param telling false: it says nothing of the store, so that an earlier answer counts
     * @return how many in a row were not
     */
    int failed(StoreException ex, boolean telling) {
        underWay.decrementAndGet();
        unanswered = true;
        if (telling || !contended()) {
            failure = ex;
        }
        return ++failures;
    }

    /** The store answered what cannot be. */
    void refused(StoreException ex) {
        failure = ex;
    }

    /** Why the last acquire was not answered; null if it was. */
    @Nullable
    StoreException failure() {
        return failure;
    }

    /**
     * Whether an acquire may run after an end that is sent now.
     *
     * @param orderNow the store's order just before that end is sent
     */
    boolean isDoubtful(long orderNow) {
        return unanswered || sending.get() > 0 || isUnderWay() && order != orderNow;
    }

    boolean isUnderWay() {
        return underWay.get() > 0;
    }

    void busy(long sentAt, Busy answer) {
        busy.accumulateAndGet(
                new BusyAt(sentAt, answer), (old, now) -> old != null && old.sentAt - now.sentAt > 0 ? old : now);
    }

    @Nullable
    LockHolder holder() {
        BusyAt last = busy.get();
        return last == null ? null : last.answer.holder();
    }

    boolean contended() {
        return busy.get() != null;
    }

    /** Whether an answer has told of a grant that came after the one with this token. */
    boolean isOvertaken(long token) {
        BusyAt last = busy.get();
        return last != null && token <= last.answer.mark();
    }

    /**
     * From when a lease counts that was granted by a message: the grant came after this. Empty: an answer has told of a later
     * grant already.
     */
    OptionalLong evidence(long token) {
        BusyAt last = busy.get();
        if (last == null) {
            return OptionalLong.of(firstSentAt);
        }
        return token <= last.answer.mark() ? OptionalLong.empty() : OptionalLong.of(last.sentAt);
    }

    /** A message has told of a grant. */
    void told() {
        told = true;
    }

    boolean isTold() {
        return told;
    }

    /** The grant with this token was taken away. */
    void revoked(long token) {
        revokedToken.accumulateAndGet(token, Math::max);
    }

    boolean isRevoked(long token) {
        return token <= revokedToken.get();
    }

    /** WAITING to HELD; null if it was not waiting any more. */
    @Nullable
    Grant granted(long token, long end, long now) {
        Grant grant = new Grant(token, now, end);
        return phase.compareAndSet(WAITING, grant) ? grant : null;
    }

    /** WAITING to OVER. */
    boolean giveUp(long now) {
        return phase.compareAndSet(WAITING, new Over(null, Why.GIVEN_UP, now, ""));
    }

    /** HELD to OVER. */
    boolean end(Grant grant, Why why, long now, String reason) {
        return phase.compareAndSet(grant, new Over(grant, why, now, reason));
    }

    /** The store does not know these to be held by this claim any more. */
    void missing(List<LockName> names) {
        missing = List.copyOf(names);
    }

    void handedTo(List<String> ids) {
        handedTo = ids;
    }

    /** Whose turn it was after its release, by process. */
    List<LockListener.HandOver> handOvers() {
        String ours = id.substring(0, id.lastIndexOf(':') + 1);
        return handedTo.stream()
                .map(next -> next.startsWith(ours) ? LockListener.HandOver.LOCAL : LockListener.HandOver.REMOTE)
                .toList();
    }

    /** Of a lost claim, which locks were lost. */
    List<String> lostNames() {
        List<LockName> lost = missing;
        return (lost.isEmpty() ? names : lost).stream().map(LockName::name).toList();
    }

    /** How much longer its locks are kept, now that it has ended: only what was released is kept. */
    long keepMillis(long now) {
        return phase.get() instanceof Over over && over.why == Why.RELEASED && over.grant != null
                ? over.grant.keepMillis(now)
                : 0;
    }

    /** RELEASED to LOST: the store says that it was not ours any more. */
    void foundLost(long now, String reason) {
        phase.set(new Over(lastGrant(), Why.LOST, now, reason));
    }

    /**
     * As it is asked for.
     *
     * @param passMillis of several locks: for how long others may pass it
     */
    AcquireCommand.Request request(boolean listening, long passMillis, long now) {
        AcquireCommand.Kind kind =
                tries ? AcquireCommand.Kind.TRY : listening ? AcquireCommand.Kind.MESSAGE : AcquireCommand.Kind.POLL;
        long patience = WaitPolicy.patienceMillis(unbounded, deadline, now);
        return new AcquireCommand.Request(id, kind, leaseNanos / 1_000_000, patience, passMillis, owner, label);
    }

    private record BusyAt(long sentAt, Busy answer) {}
}
