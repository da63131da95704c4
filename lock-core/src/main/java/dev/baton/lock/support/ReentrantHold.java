package dev.baton.lock.support;

import dev.baton.lock.LockContext;
import dev.baton.lock.engine.CallerIdentity;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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

    final Key key;
    public final Acquisition acquisition;
    /** The number of entries that have not left. Zero is final. */
    private final AtomicInteger entries = new AtomicInteger(1);
    /** The actions if the hold is lost, or {@code null} until there is one. */
    private final AtomicReference<@Nullable Set<Runnable>> onLoss = new AtomicReference<>();
    /** The registry that the hold was added to, or {@code null} if it was never listed. */
    private volatile @Nullable HoldRegistry listedIn;

    ReentrantHold(Key key, Acquisition acquisition) {
        this.key = key;
        this.acquisition = acquisition;
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

    /** Returns whether the current thread works under a lease of this hold. */
    boolean isAroundCurrentThread() {
        return LockContext.leases().stream().anyMatch(lease -> lease instanceof DefaultLease own && own.hold() == this);
    }

    /** Returns whether the hold can be entered. */
    boolean isOpen() {
        return entries.get() > 0;
    }

    /** Enters the hold once more. Returns {@code false} if the hold is being released. */
    boolean enter() {
        return entries.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /** Leaves the hold. Returns {@code true} if that was the last entry. */
    boolean leave() {
        return entries.decrementAndGet() == 0;
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
