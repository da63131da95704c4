package dev.baton.lock.support;

import dev.baton.lock.LockContext;
import dev.baton.lock.engine.CallerIdentity;
import dev.baton.lock.engine.event.GrantDetails;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.store.LockName;
import dev.baton.lock.time.EngineExecutors;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A grant to one owner: one acquisition of one or several locks, entered once or more. Re-entry costs no command, unless the
 * request needs a longer lease than is left.
 */
public final class ReentrantHold {

    /**
     * The owner and the locks of a hold.
     *
     * @param owner the owner as {@link CallerIdentity#id()}, which outlasts a restart of the engine
     */
    record Key(String owner, List<LockName> names) {}

    private static final AtomicReferenceFieldUpdater<ReentrantHold, @Nullable ReentrantLock> TURNING =
            AtomicReferenceFieldUpdater.newUpdater(ReentrantHold.class, ReentrantLock.class, "turning");

    /** Counts one entry of a writer. The other entries are those of readers in the hold of a writer, or all are readers. */
    private static final long WRITER = 1L << 32;

    final Key key;
    /** The acquisition that holds the lock, or held it last. Another one follows when the owner has awaited a condition. */
    public volatile Acquisition acquisition;

    /** What leaving a hold means for its lock. */
    enum Left {
        /** Others are still in the hold, in the same mode. */
        NOTHING,
        /** The last writer has left, and readers stay: the lock is to be shared. */
        DOWNGRADE,
        /** The last entry has left: the lock is to be released. */
        LAST,
        /** The owner has given the lock up. If it comes back, its hold is found without this entry. */
        AWAY
    }

    /** What was entered. */
    enum Entry {
        /** A hold that is being released cannot be entered. */
        NONE,
        /** The lock stays exclusive at least until this entry leaves. */
        WRITER,
        /** The lock may become shared while this entry stays, or is shared already. */
        READER
    }

    /** The number of entries that have not left, and {@link #WRITER} for each writer among them. Zero is final. */
    private final AtomicLong entries;
    /** Held while the lock is made shared; {@code null} before a reader has entered the hold of a writer. */
    private volatile @Nullable ReentrantLock turning;
    /** The actions if the hold is lost, or {@code null} until there is one. */
    private final AtomicReference<@Nullable Set<Runnable>> onLoss = new AtomicReference<>();
    /** Whether the owner awaits a condition, or has not got the lock back. Leaving the hold then has no effect on the lock. */
    private volatile boolean away;
    /** How the lock came back after the last wait at a condition, or {@code null} if there was none. */
    private volatile @Nullable GrantDetails back;
    /** The registry that the hold was added to, or {@code null} if it was never listed. */
    private volatile @Nullable HoldRegistry listedIn;

    ReentrantHold(Key key, Acquisition acquisition) {
        this.key = key;
        this.acquisition = acquisition;
        this.entries = new AtomicLong(isWriter() ? WRITER + 1 : 1);
    }

    /** Returns whether its first entry is a writer. A hold of several locks is never made shared. */
    boolean isWriter() {
        return acquisition.spec().shared().isEmpty() || acquisition.names().size() > 1;
    }

    void listedIn(HoldRegistry holds) {
        listedIn = holds;
    }

    /**
     * Removes the hold from its registry after the hold was found lost. The hold must not be found again, although its
     * loss may not be reported yet.
     */
    void unlist() {
        HoldRegistry list = listedIn;
        if (list != null) {
            list.remove(this);
        }
    }

    /**
     * Returns whether the hold was listed in that registry for the owner of the key, and has one of the key's locks.
     */
    boolean isFor(HoldRegistry holds, Key other) {
        return listedIn == holds
                && key.owner().equals(other.owner())
                && !Collections.disjoint(acquisition.names(), other.names());
    }

    /** Records that the owner is about to await a condition. The hold is not found meanwhile. */
    void goesAway() {
        away = true;
        unlist();
    }

    /** Returns how the lock came back after the last wait at a condition, or else this. */
    GrantDetails backOr(GrantDetails otherwise) {
        GrantDetails known = back;
        return known == null ? otherwise : known;
    }

    /** Returns whether the owner awaits a condition, or has not got the lock back after it. */
    boolean isAway() {
        return away;
    }

    /**
     * Lets another acquisition hold the lock, with the entries that the hold has. Returns {@code false} if all entries have
     * left meanwhile: the caller releases the lock then.
     */
    boolean comesBack(Acquisition next, GrantDetails details, HoldRegistry holds) {
        back = details;
        acquisition = next;
        Set<Runnable> actions = onLoss.get();
        if (actions != null) {
            next.loss().thenRun(() -> List.copyOf(actions).forEach(Runnable::run));
        }
        holds.add(this);
        away = false;
        return isOpen();
    }

    /** Returns whether the current thread works under a lease of this hold. */
    boolean isAroundCurrentThread() {
        return LockContext.leases().stream().anyMatch(lease -> lease instanceof DefaultLease own && own.hold() == this);
    }

    /** Returns whether the hold can be entered. */
    boolean isOpen() {
        return entries.get() != 0;
    }

    /**
     * Enters the hold once more.
     *
     * @param shares whether the request shares the lock; in a hold of several locks, each entry is a writer
     */
    Entry enter(boolean shares) {
        boolean reads = shares && acquisition.names().size() == 1;
        if (reads && turning == null) {
            TURNING.compareAndSet(this, null, new ReentrantLock());
        }
        long before = entries.getAndUpdate(
                count -> count == 0 ? 0 : reads || count < WRITER ? count + 1 : count + WRITER + 1);
        if (before == 0) {
            return Entry.NONE;
        }
        return reads || before < WRITER ? Entry.READER : Entry.WRITER;
    }

    /** Leaves the hold. */
    Left leave(Entry entry) {
        // in this order, and in the reverse order where the lock comes back: one of the two releases the lock
        long left = entries.addAndGet(entry == Entry.WRITER ? -WRITER - 1 : -1);
        if (away) {
            return Left.AWAY;
        }
        if (left == 0) {
            return Left.LAST;
        }
        return entry == Entry.WRITER && left < WRITER ? Left.DOWNGRADE : Left.NOTHING;
    }

    /** Returns the lock to hold while the last entry leaves, or the lock is made shared; {@code null} if it never can be. */
    @Nullable
    ReentrantLock turning() {
        return turning;
    }

    /** Returns the locks that are held in shared mode now. */
    Set<LockName> shared() {
        return acquisition.ticket().spec().shared();
    }

    /** Returns whether the hold has all of these locks. */
    boolean covers(Collection<LockName> names) {
        return acquisition.names().containsAll(names);
    }

    /**
     * Runs the action if the lease is lost, or at once if the lease is lost already. The action may run twice, or late
     * after {@link #noMore}.
     */
    void onLoss(Runnable action) {
        Set<Runnable> fresh = ConcurrentHashMap.newKeySet();
        Set<Runnable> known = onLoss.compareAndExchange(null, fresh);
        Set<Runnable> actions = known == null ? fresh : known;
        actions.add(action);
        if (known == null) {
            acquisition.loss().thenRun(() -> List.copyOf(fresh).forEach(Runnable::run));
        } else if (acquisition.loss().isDone()) {
            action.run();
        }
    }

    void noMore(Runnable action) {
        Set<Runnable> actions = onLoss.get();
        if (actions != null) {
            actions.remove(action);
        }
    }

    /** Notifies the listeners of the loss, if the hold is lost, on one of these threads. */
    void tellLoss(RequestEvents events, EngineExecutors executors) {
        if (events.hearLosses()) {
            Grant grant = acquisition.lastGrant();
            events.awaitLoss(
                    acquisition.loss(), request -> grant.lost(request, (Phase.Over) acquisition.phase()), executors);
        }
    }

    /** Notifies the listeners that the hold was released. */
    void tellRelease(long now) {
        acquisition
                .events()
                .released(request -> acquisition.lastGrant().released(request, acquisition.handOvers(), now));
    }
}
