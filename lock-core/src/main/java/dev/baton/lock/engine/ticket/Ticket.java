package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockHolder;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.Tokens;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.LeaseClock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/*
 * Overview. A ticket is one entry of this process in the store: first in the queue, then as the holder of the lock. Its
 * id is never used again. Code that makes a ticket OVER ends its id in the store. An acquire may be about to be sent
 * meanwhile; that is why `ask()` counts the acquire before it looks at the phase, and why the end looks at the count
 * after the phase was set: one of the two sees the other, and an acquire that could run after its end is refused by a
 * mark.
 */
/** One entry of this process in the store, from its first acquire to its end. Thread-safe. */
public final class Ticket extends Lifecycle implements WaitStatus {

    private static final AtomicLongFieldUpdater<Ticket> REVOKED_TOKEN =
            AtomicLongFieldUpdater.newUpdater(Ticket.class, "revokedToken");
    private static final AtomicReferenceFieldUpdater<Ticket, @Nullable Contention> CONTENTION =
            AtomicReferenceFieldUpdater.newUpdater(Ticket.class, Contention.class, "contention");
    private static final AtomicReferenceFieldUpdater<Ticket, @Nullable EndReply> FIRST_END =
            AtomicReferenceFieldUpdater.newUpdater(Ticket.class, EndReply.class, "firstEnd");

    private final String id;
    private final AcquisitionSpec spec;
    private final long deadline;
    private final TicketHolder holder;
    /** For how many passes a grant reserves tokens. */
    private final int reserve;
    /** Watches the holder in the way, or {@code null} if it does not matter how long a holder keeps the lock. */
    private final @Nullable StallMonitor stallMonitor;

    private final CommandTracker commands = new CommandTracker();
    /** What its acquires and its end say. */
    private final RequestText asking = new RequestText(this);
    /** The busy answer to the acquire that was sent last, or {@code null} if no acquire was answered busy. */
    private volatile @Nullable Contention contention;

    /** The highest token of a grant that was taken away; the grant may not be known here yet. */
    private volatile long revokedToken = Long.MIN_VALUE;

    /** Whether the lease was given a length that differs from that of the spec. */
    private volatile boolean extended;

    private volatile long leaseNanos;
    private volatile boolean told;
    /** Whether the ticket has a place in the queue of the store, as far as is known. */
    private volatile boolean queued;
    /** The last failure that says something about the store, or {@code null} after an answer. */
    private volatile @Nullable StoreException failure;
    /** The number of consecutive failures. One of two that overlap may not be counted, which only shortens a back-off. */
    private int failures;
    /** The locks that were found lost; empty if none was, or all were. */
    private volatile List<LockName> missing = List.of();

    private volatile @Nullable Turn turn;
    /** The answer to the first end that was answered: a repeated end learns nothing new. */
    private volatile @Nullable EndReply firstEnd;

    Ticket(String id, AcquisitionSpec spec, long askedAt, TicketHolder holder, int reserve) {
        this.id = id;
        this.spec = spec;
        this.deadline = askedAt + spec.waitNanos();
        this.holder = holder;
        this.reserve = reserve;
        this.leaseNanos = spec.leaseNanos();
        this.stallMonitor = spec.stallNanos() == 0 ? null : new StallMonitor(spec.stallNanos(), this::isWaiting);
    }

    public String id() {
        return id;
    }

    /** Returns the locks, sorted: tickets for the same locks have equal lists. */
    public List<LockName> names() {
        return spec.names();
    }

    /** Returns the name of the locks for people. */
    public String title() {
        return spec.title();
    }

    public String owner() {
        return spec.owner();
    }

    public String label() {
        return spec.label();
    }

    public boolean isRenewed() {
        return spec.renewed();
    }

    /** Returns how the ticket asks. */
    public AcquisitionSpec spec() {
        return spec;
    }

    public long deadline() {
        return deadline;
    }

    public int reserve() {
        return reserve;
    }

    /** Returns the request as an end describes it, or {@code null} if no acquire was about to be sent. */
    public @Nullable Request request() {
        return asking.atEnd(holder instanceof Acquisition acquisition && acquisition.wasGranted());
    }

    public @Nullable StallMonitor stallMonitor() {
        return stallMonitor;
    }

    /** Returns for how long the same holder was seen, in nanoseconds; zero if no holder was, or it does not matter. */
    public long stalledNanos(long now) {
        return stallMonitor == null ? 0 : stallMonitor.stalledNanos(now);
    }

    /** Returns the acquisition that asks alone by this ticket; empty if a group does. */
    Optional<Acquisition> alone() {
        return holder instanceof Acquisition acquisition ? Optional.of(acquisition) : Optional.empty();
    }

    /** Returns whether the lock is taken. If not, the caller ends the ticket. */
    public boolean offer() {
        return holder.granted(this);
    }

    /** Tells the holder of the ticket that waiting makes no sense any more. */
    public void fail(Outcome outcome) {
        holder.failed(this, outcome);
    }

    /** Tells the holder of the ticket that the ticket is lost. */
    public void tellLost() {
        holder.lost(this);
    }

    /** Returns the acquisition that holds the lock by this ticket, or {@code null} if none does. */
    public @Nullable Acquisition holding() {
        return holder.holding(this);
    }

    /** Publishes a recheck on behalf of the acquisitions that wait by these tickets. */
    public static void rechecked(List<Ticket> asked, EngineExecutors executors) {
        List<Acquisition> waiting = asked.stream()
                .flatMap(ticket -> ticket.holder.waiting(ticket).stream())
                .toList();
        if (!waiting.isEmpty()) {
            waiting.get(0).events().rechecked(waiting.size(), executors);
        }
    }

    /** Returns the length of the lease, in nanoseconds. */
    public long leaseNanos() {
        return leaseNanos;
    }

    /** Returns the local end of the lease if it counts from a time. */
    public long leaseEnd(long evidence) {
        return LeaseClock.end(evidence, leaseNanos);
    }

    /** Changes the length of the lease. */
    public void leaseNanos(long nanos) {
        leaseNanos = nanos;
    }

    /** Records that the lease is extended to a length of its own. Such a lock cannot be passed on. */
    public void extended() {
        extended = true;
    }

    /** Returns whether the lock may be passed on as it is. */
    public boolean isPassable() {
        return !extended;
    }

    /** Returns whether the lease may end later in the store than is known here. */
    public boolean mayBeRenewed() {
        return spec.renewed() || extended;
    }

    /**
     * Counts an acquire that is about to be sent, and returns what it asks for. Returns {@code null} if it must not be
     * sent: the ticket no longer waits.
     *
     * @param passMillis how long others may pass the request if it asks for several locks, in milliseconds
     */
    public @Nullable Request ask(Kind kind, long passMillis, long now) {
        // in this order: an end that finds the acquire counted must find the record by which to remove it
        Request described = asking.describe(kind, passMillis);
        return commands.ask(this::isWaiting, now) ? described : null;
    }

    /** Lets the ticket await a condition before it asks for its lock. To be called before the first acquire. */
    public void awaits(ConditionWait wait) {
        asking.awaits(wait);
    }

    /** Returns the wait at a condition that comes first, or {@code null} if there is none. */
    public @Nullable ConditionWait atCondition() {
        return asking.atCondition();
    }

    /** Returns the number of acquires that were sent. */
    public int attempts() {
        return commands.attempts();
    }

    /**
     * Records the answer to an acquire. Call this before {@link #answered}: a ticket that is given up meanwhile then has
     * an acquire under way, or knows what the store made of it.
     */
    public void seen(AcquireReply.Answer answer, long sentAt) {
        if (answer instanceof Busy busy) {
            CONTENTION.accumulateAndGet(this, new Contention(sentAt, busy), Contention::later);
            queued = true;
        } else if (answer instanceof Granted) {
            commands.granted();
        }
    }

    /**
     * Records that an acquire was answered.
     *
     * @param repeated whether the store may carry out the acquire once more
     */
    public void answered(boolean repeated) {
        commands.ended(repeated);
        failure = null;
        failures = 0;
    }

    /**
     * Records the answer to a recheck that another ticket of this process made on behalf of all. Another request held the
     * lock then, so a grant of this ticket whose token is greater than the mark came later.
     */
    public void overheard(Busy busy, long sentAt) {
        CONTENTION.accumulateAndGet(this, new Contention(sentAt, busy), Contention::later);
        failure = null;
    }

    /** Returns whether the ticket has a place in the queue of the store, as far as is known. */
    public boolean isQueued() {
        return queued && asking.atCondition() == null;
    }

    /** Records that the store may not have the ticket in its queue any more. */
    public void unqueued() {
        queued = false;
    }

    /**
     * Records that an acquire was not answered.
     *
     * @param telling whether this says something about the store
     * @return how many acquires in a row were not answered
     */
    public int failed(StoreException ex, boolean telling) {
        if (telling) {
            failure = ex;
        }
        commands.ended(!ex.isUnexecuted());
        return ++failures;
    }

    /** Records that the store refuses the ticket. */
    public void refused(StoreException ex) {
        failure = ex;
    }

    @Override
    public @Nullable StoreException failure() {
        return failure;
    }

    /**
     * Returns whether the store may know this ticket, which is over: the ticket joined a queue, or an acquire may yet be
     * carried out. If the store refused each acquire, or was never given one, there is nothing to end.
     */
    public boolean mayBeInStore() {
        // in this order, because seen() comes before answered(): one of the two is seen
        return mayBeQueued() || commands.wasGranted();
    }

    /** Returns whether the store may have the ticket in a queue, or may put it there later. */
    public boolean mayBeQueued() {
        // in this order, for the same reason
        return isDoubtful() || spec.queues() && isContended();
    }

    /** Returns whether an acquire may be carried out after an end that is sent now. */
    public boolean isDoubtful() {
        return commands.isDoubtful();
    }

    @Override
    public boolean isUnanswered(long nanos, long now) {
        return commands.isUnderWayFor(nanos, now);
    }

    @Override
    public @Nullable LockHolder holder(long now) {
        Contention last = contention;
        return last == null ? null : last.answer().holder();
    }

    /**
     * Returns this ticket as the holder if its grant is later than the one with this token, or else the holder that it
     * has seen in its way, if that one is later; {@code null} if neither is.
     */
    @Nullable
    LockHolder holderAfter(long token, long now) {
        Grant own = everGranted();
        if (own != null && own.token > token) {
            Duration held = Duration.ofNanos(Math.max(0, now - own.grantedAt));
            Duration left = Duration.ofNanos(Math.max(0, LeaseClock.remaining(own.end(), now)));
            return new LockHolder(label(), owner(), own.token, held, left);
        }
        LockHolder seen = holder(now);
        return seen != null && seen.fencingToken() > token ? seen : null;
    }

    @Override
    public boolean isContended() {
        return contention != null;
    }

    @Override
    public boolean isOvertaken(long number) {
        Contention last = contention;
        return last != null && last.isOvertaken(number);
    }

    /**
     * Returns the time from which a lease counts that a message granted: the grant came after this time. Returns empty
     * if an answer has told of a later grant already.
     */
    public OptionalLong evidence(long number) {
        Contention last = contention;
        if (last == null) {
            return OptionalLong.of(commands.firstSentAt());
        }
        return last.isOvertaken(number) ? OptionalLong.empty() : OptionalLong.of(last.sentAt());
    }

    /** Records that a message, or the answer to another end, has announced a grant. */
    public void told() {
        told = true;
    }

    public boolean isTold() {
        return told;
    }

    /** Records that the grant with this token was taken away. */
    public void revoked(long token) {
        REVOKED_TOKEN.accumulateAndGet(this, token, Math::max);
    }

    public boolean isRevoked(long token) {
        return token <= revokedToken;
    }

    /** WAITING to HELD. Returns {@code null} if the ticket no longer waited. */
    public @Nullable Grant granted(long token, long end, long now) {
        return granted(token, token, end, now);
    }

    public @Nullable Grant granted(long token, long number, long end, long now) {
        Grant grant = new Grant(token, number, (int) Tokens.kept(token, reserve), now, end);
        if (!hold(grant)) {
            return null;
        }
        stopStallMonitor();
        return grant;
    }

    /** Takes the place of a writer, which holds the lock by this grant. The store has not been asked yet. */
    public Turn replaces(Ticket writer, Grant grant, long now) {
        leaseNanos = writer.leaseNanos();
        Turn begun = new Turn(writer, this);
        turn = begun;
        hold(Grant.ofReader(grant, now));
        return begun;
    }

    /** Returns how this reader replaces a writer, or {@code null} if it does not, or the store has confirmed that. */
    public @Nullable Turn turn() {
        Turn known = turn;
        return known == null || known.isConfirmed() ? null : known;
    }

    /** Counts a command that is about to be sent, by which the ticket takes the place of another in the store. */
    public Request asksToReplace(boolean listening, long passMillis, long now) {
        Request described = asking.describe(listening ? Kind.MESSAGE : Kind.POLL, passMillis);
        commands.ask(() -> true, now);
        return described;
    }

    @Override
    public boolean giveUp(long now) {
        if (!super.giveUp(now)) {
            return false;
        }
        stopStallMonitor();
        return true;
    }

    private void stopStallMonitor() {
        if (stallMonitor != null) {
            stallMonitor.stop();
        }
    }

    /** Marks a released ticket as lost, and tells its holder. */
    public void foundLost(long now, String reason) {
        if (endAsLost(now, reason)) {
            tellLost();
        }
    }

    /**
     * Returns whether the ticket waits, or has ended and the end is about to be sent. A lost ticket does not count: its
     * end is sent later.
     */
    public boolean isWaitingOrEnding() {
        Phase now = phase();
        return isWaiting() || now instanceof Phase.Over over && over.why() != Phase.Why.LOST;
    }

    /** Returns how much longer the locks of an ended ticket are kept: only a released lock is kept. */
    public long keepMillis(long now) {
        return phase() instanceof Phase.Over over && over.why() == Phase.Why.RELEASED && over.grant() != null
                ? over.grant().keepMillis(now)
                : 0;
    }

    /** Records the answer to an end. Returns the answer to the first end that was answered. */
    public EndReply endAnswered(EndReply reply) {
        FIRST_END.compareAndSet(this, null, reply);
        return Objects.requireNonNull(firstEnd);
    }

    /** Records the locks that the store no longer knows to be held by this ticket. */
    public void missing(List<LockName> gone) {
        missing = List.copyOf(gone);
    }

    /** Returns the names of the locks that a lost ticket has lost. */
    public List<String> lostNames() {
        List<LockName> lost = missing;
        return (lost.isEmpty() ? names() : lost).stream().map(LockName::name).toList();
    }

    @Override
    public String toString() {
        return "ticket " + id;
    }
}
