package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockNames;
import dev.baton.lock.OnLost;
import dev.baton.lock.engine.event.GrantDetails;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt of one caller to get a lock and, once granted, what the caller holds. An acquisition either asks the store
 * by a ticket of its own, or waits in a group that shares a ticket. Thread-safe.
 */
public final class Acquisition extends Lifecycle implements TicketHolder {

    private static final Logger log = LoggerFactory.getLogger(Acquisition.class);

    private static final AtomicReferenceFieldUpdater<Acquisition, @Nullable Loss> LOSS =
            AtomicReferenceFieldUpdater.newUpdater(Acquisition.class, Loss.class, "loss");
    private static final AtomicReferenceFieldUpdater<Acquisition, @Nullable Runnable> ON_SETTLED =
            AtomicReferenceFieldUpdater.newUpdater(Acquisition.class, Runnable.class, "onSettled");

    private static final AtomicReferenceFieldUpdater<Acquisition, @Nullable RequestedActions> REQUESTED =
            AtomicReferenceFieldUpdater.newUpdater(Acquisition.class, RequestedActions.class, "requested");

    /**
     * Completed once, by {@link #settle} alone, to wake the caller: there is a grant, or waiting makes no sense any
     * more. The caller then looks at the phase, or gives up.
     */
    public final CompletableFuture<Outcome> settled = new CompletableFuture<>();

    private final AcquisitionSpec spec;
    private final long askedAt;
    private final RequestRegistry registry;

    private volatile WaitStatus status = WaitStatus.NOTHING_KNOWN;
    /** The ticket by which the lock is asked for or held, or {@code null} while the acquisition waits in a group. */
    private volatile @Nullable Ticket ticket;
    /** Whether another acquisition of this process was in the way. */
    private volatile boolean hindered;
    /** For a member of a group, the holder before it, or {@code null} if none is known. */
    private volatile @Nullable LockHolder before;

    private volatile @Nullable StoreException failure;
    /** Completed if the lease is lost; {@code null} until code asks for it, because few waiters ever do. */
    private volatile @Nullable Loss loss;
    /** What unlists the lease if it is lost: an action instead of a stage of the future, as every lease has one. */
    private volatile @Nullable Runnable onLoss;
    /** What runs when others want the lock; {@code null} until code asks for it, because few holders ever do. */
    private volatile @Nullable RequestedActions requested;
    /** What counts the end of the wait, or {@code null} if it does not count, or has been counted. */
    private volatile @Nullable Runnable onSettled;
    /** The ids to which the store, or this process, handed the lock after the release. */
    private volatile List<String> handedTo = List.of();

    /**
     * Creates an acquisition, which its registry does not list yet.
     *
     * @param askedAt when the caller asked, by our monotonic clock
     */
    public Acquisition(AcquisitionSpec spec, long askedAt, RequestRegistry registry) {
        this.spec = spec;
        this.askedAt = askedAt;
        this.registry = registry;
    }

    public AcquisitionSpec spec() {
        return spec;
    }

    /** Returns the locks, sorted: acquisitions of the same locks have equal lists. */
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

    /** Returns the owner for people: host, process and thread. */
    public String label() {
        return spec.label();
    }

    public RequestEvents events() {
        return spec.events();
    }

    public long askedAt() {
        return askedAt;
    }

    public long deadline() {
        return askedAt + spec.waitNanos();
    }

    /** Asks by this ticket from now on. */
    public void asksBy(Ticket own) {
        ticket = own;
        status = own;
    }

    /**
     * Becomes a reader in place of a writer. Returns {@code false} if the acquisition no longer has this grant.
     *
     * @param reader the ticket of the reader, which has the other grant already
     */
    public boolean turnsInto(Ticket reader, Grant grant) {
        Grant next = reader.grant();
        if (next == null || !swap(grant, next)) {
            return false;
        }
        asksBy(reader);
        return true;
    }

    /**
     * Waits in a group from now on, and does not ask by a ticket of its own.
     *
     * @param group what the group knows of the lock
     * @param behind whether an acquisition of the group is in the way
     */
    public void waitsIn(WaitStatus group, boolean behind) {
        hindered = behind;
        status = group;
    }

    /** Says that the registry lists this acquisition, which may have to wait from now on. */
    public void listed() {
        if (!spec.tries()) {
            events().waits();
        }
    }

    /** Returns what is known of the lock while the acquisition waits. */
    public WaitStatus status() {
        return status;
    }

    /** Returns the ticket by which the lock is held. Fails before there is one. */
    public Ticket ticket() {
        Ticket known = ticket;
        if (known == null) {
            throw new IllegalStateException(this + " has no ticket yet");
        }
        return known;
    }

    /** Returns the id by which the store knows the holder of the lock. Fails before there is a ticket. */
    public String ticketId() {
        return ticket().id();
    }

    /** Returns the length of the lease, in nanoseconds. */
    public long leaseNanos() {
        Ticket known = ticket;
        return known == null ? spec.leaseNanos() : known.leaseNanos();
    }

    /** Changes the length of the lease, in nanoseconds. */
    public void leaseNanos(long nanos) {
        ticket().leaseNanos(nanos);
    }

    /** Returns whether the acquisition waits, and has its place in the queue of the store or of its group. */
    public boolean isPlaced() {
        // in this order, because the ticket is set before the status
        WaitStatus known = status;
        Ticket own = ticket;
        return isWaiting() && known != WaitStatus.NOTHING_KNOWN && (own == null || own.attempts() > 0);
    }

    /** Returns whether the acquisition awaits a condition, or has awaited it, before it asks for its lock. */
    boolean isAtCondition() {
        Ticket own = ticket;
        return own != null && own.atCondition() != null;
    }

    /** Returns whether the acquisition awaits a condition, as the store has answered. */
    boolean awaits() {
        Ticket own = ticket;
        if (own == null) {
            return false;
        }
        ConditionWait wait = own.atCondition();
        return wait != null && isWaiting() && own.isContended() && !wait.left.isDone();
    }

    @Override
    public boolean granted(Ticket own) {
        Grant grant = own.everGranted();
        if (grant == null || !hold(grant)) {
            return false;
        }
        if (own.isLost()) {
            lost(own);
        }
        settle(Outcome.GRANTED);
        return true;
    }

    /**
     * Takes a lock that another member of the group held before, or that the shared ticket was just granted. The caller
     * {@link #settle settles} the acquisition afterwards, where user code may run. Returns {@code false} if the
     * acquisition no longer waited.
     *
     * @param shared the ticket of the group
     * @param grant the grant of this acquisition, by a token of its own
     * @param seen the holder that was in the way, or {@code null} if none is known
     * @param last the last holder in this process, or {@code null} if there was none; an acquisition that found this
     *     holder in its group has waited for it
     */
    public boolean takes(Ticket shared, Grant grant, @Nullable LockHolder seen, @Nullable LockHolder last) {
        before = seen == null && hindered ? last : seen;
        if (grant.token != shared.lastGrant().token) {
            hindered = true;
        }
        ticket = shared;
        return hold(grant);
    }

    @Override
    public void failed(Ticket by, Outcome outcome) {
        failure = by.failure();
        settle(outcome);
    }

    /** Ends the wait without a grant. */
    public void fail() {
        settle(Outcome.FAILED);
    }

    /** Wakes the caller. Calls after the first have no effect. */
    public void settle(Outcome outcome) {
        Runnable action = onSettled;
        if (action != null && ON_SETTLED.compareAndSet(this, action, null)) {
            // before the caller wakes: its next request must not meet the limit because of this one
            action.run();
        }
        settled.complete(outcome);
    }

    /** Has the action run when the acquisition is settled. To be called once, before the acquisition begins to wait. */
    public void onSettled(Runnable action) {
        onSettled = action;
    }

    @Override
    public List<Acquisition> waiting(Ticket own) {
        return List.of(this);
    }

    /** Returns why the last acquire on behalf of this acquisition was not answered, or {@code null} if it was. */
    public @Nullable StoreException failure() {
        StoreException known = failure;
        return known == null ? status.failure() : known;
    }

    @Override
    public void lost(Ticket by) {
        if (!(by.phase() instanceof Phase.Over over) || over.why() != Phase.Why.LOST) {
            return;
        }
        Grant grant = grant();
        // a member that has released the lock has nothing more to lose: another member may hold it by the same ticket
        boolean lostNow = grant == null
                ? !isMember() && endAsLost(over.at(), over.reason())
                : end(grant, Phase.Why.LOST, over.at(), over.reason());
        if (lostNow) {
            tellLost(over.reason());
        }
    }

    /** Marks a released acquisition as lost, because the store no longer knew the lease when it was released. */
    public void foundLost(long now, String reason) {
        if (endAsLost(now, reason)) {
            tellLost(reason);
        }
    }

    private void tellLost(String reason) {
        // the lease is about to end, so notify the holder before anything that may take time
        loss().complete(null);
        Runnable action = onLoss;
        if (action != null) {
            action.run();
        }
        registry.forget(this);
        String names = LockNames.printable(String.join(", ", lostNames()));
        String owner = LockNames.printable(owner());
        long token = lastGrant().token;
        log.atWarn()
                .addKeyValue("lock", names)
                .addKeyValue("scope", events().request().scope())
                .addKeyValue("owner", owner)
                .addKeyValue("holder", label())
                .addKeyValue("token", token)
                .log("Lock '{}' was lost by {} (token {}): {}", names, label(), token, reason);
    }

    @Override
    public @Nullable Acquisition holding(Ticket own) {
        return own == ticket && grant() != null ? this : null;
    }

    /** Adds an action to run when others want the lock, as {@link RequestedActions#add} says. */
    public void onRequested(BooleanSupplier active, Runnable action) {
        if (requested == null) {
            REQUESTED.compareAndSet(this, null, new RequestedActions());
        }
        Objects.requireNonNull(requested).add(active, action);
    }

    /** Returns the actions to run when others want the lock, or {@code null} if there are none. */
    public @Nullable RequestedActions requestedActions() {
        return requested;
    }

    /** Returns a future that is completed once if the lease is lost; never otherwise. */
    public CompletableFuture<Void> loss() {
        if (loss == null) {
            LOSS.compareAndSet(this, null, new Loss());
        }
        return Objects.requireNonNull(loss);
    }

    /**
     * Has the action run if the lease is lost, or at once if it is lost already. The action may run twice. To be called
     * once.
     */
    public void onLoss(Runnable action) {
        onLoss = action;
        if (isLost()) {
            action.run();
        }
    }

    /** Returns since when the acquisition is over, or {@code now} if it is not known to be over. */
    public long overSince(long now) {
        return phase() instanceof Phase.Over over ? over.at() : now;
    }

    /** Returns the reason of the loss. An acquisition that is not known to be lost has the most general reason. */
    public String lossReason() {
        return phase() instanceof Phase.Over over && !over.reason().isEmpty() ? over.reason() : LossReasons.UNKNOWN;
    }

    /**
     * Returns the holder of one of the locks after this acquisition has lost its lease, or {@code null} if this process
     * has seen none.
     */
    public @Nullable LockHolder nextHolder(long now) {
        return registry.nextHolder(names(), lastGrant().token, now);
    }

    /** Returns the names of the locks that were lost. */
    public List<String> lostNames() {
        return ticket().lostNames();
    }

    /** Returns how the lease was granted. */
    public GrantDetails details(OnLost onLost) {
        // the thread that passes the lock on may have read the clock before this caller asked
        Duration waited = Duration.ofNanos(Math.max(0, lastGrant().grantedAt - askedAt));
        // the message of a hand-over may overtake the busy answer to the acquire: the lock was contended then, too
        boolean contended = isContended() || ticket().isTold();
        return new GrantDetails(waited, contended, attempts(), onLost, waitedFor());
    }

    /** Returns whether another holder or waiter was in the way. */
    public boolean isContended() {
        Ticket known = ticket;
        return hindered || (known == null ? status : known).isContended();
    }

    /** Returns the number of acquires for this acquisition. A lock that was passed on has cost none. */
    public int attempts() {
        Ticket known = ticket;
        return known != null && (!isMember() || wasGranted() && lastGrant().token == known.lastGrant().token)
                ? known.attempts()
                : 0;
    }

    /** Returns the holder that was last seen in the way of a granted acquisition, or {@code null} if there was none. */
    public @Nullable LockHolder waitedFor() {
        return isMember() ? before : ticket().holder(askedAt);
    }

    private boolean isMember() {
        return status != ticket;
    }

    /** Records the tickets to which the lock was handed after the release. */
    public void handedTo(List<String> ids) {
        handedTo = ids;
    }

    /** Returns to which kind of process the lock was handed after the release, once per grant. */
    public List<LockListener.HandOver> handOvers() {
        return handedTo.stream()
                .map(next -> registry.isOurs(next) ? LockListener.HandOver.LOCAL : LockListener.HandOver.REMOTE)
                .toList();
    }

    /** A future of this class alone, because a field updater knows no type arguments. */
    private static final class Loss extends CompletableFuture<Void> {}

    @Override
    public String toString() {
        return "the request for lock '" + title() + "'";
    }
}
