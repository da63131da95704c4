package dev.baton.lock.support;

import dev.baton.lock.LockContext;
import dev.baton.lock.engine.CallerIdentity;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.engine.ticket.Grant;
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

/** What one owner was granted: one claim, of one lock or several, entered once or more. Re-entry costs no command. */
public final class ReentrantHold {

    /**
     * By whom and what.
     *
     * @param owner as {@link CallerIdentity#id()}: it outlasts a restart of the engine
     */
    record Key(String owner, List<LockName> names) {}

    final Key key;
    public final Claim claim;
    /** Entries not left yet; zero is for ever. */
    private final AtomicInteger entries = new AtomicInteger(1);
    /** What is done if it is lost; null until something is. */
    private final AtomicReference<@Nullable Set<Runnable>> onLoss = new AtomicReference<>();
    /** Null: it was never listed. */
    private volatile @Nullable HoldRegistry listedIn;

    ReentrantHold(Key key, Claim claim) {
        this.key = key;
        this.claim = claim;
    }

    void listedIn(HoldRegistry holds) {
        listedIn = holds;
    }

    /** It was found lost: it is not to be found again, although its loss may only be about to be told. */
    void unlist() {
        HoldRegistry list = listedIn;
        if (list != null) {
            list.remove(this);
        }
    }

    /** Whether it was listed there, for the owner of this key, and has one of its locks. */
    boolean isFor(HoldRegistry holds, Key other) {
        return listedIn == holds
                && key.owner().equals(other.owner())
                && !Collections.disjoint(claim.names, other.names());
    }

    /** Whether the current thread works under a lease of it. */
    boolean isAroundCurrentThread() {
        return LockContext.leases().stream().anyMatch(lease -> lease instanceof DefaultLease own && own.hold() == this);
    }

    /** Whether it can be entered. */
    boolean isOpen() {
        return entries.get() > 0;
    }

    /** Enters once more; false: it is being released. */
    boolean enter() {
        return entries.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /** Leaves; true: that was the last entry. */
    boolean leave() {
        return entries.decrementAndGet() == 0;
    }

    /** Whether it has all of these locks. */
    boolean covers(Collection<LockName> names) {
        return claim.names.containsAll(names);
    }

    /** Has this done if the claim is lost, at once if it is lost already; perhaps twice, or late after {@link #noMore}. */
    void onLoss(Runnable action) {
        Set<Runnable> fresh = ConcurrentHashMap.newKeySet();
        Set<Runnable> known = onLoss.compareAndExchange(null, fresh);
        Set<Runnable> actions = known == null ? fresh : known;
        actions.add(action);
        if (known == null) {
            claim.lost.thenRun(() -> List.copyOf(fresh).forEach(Runnable::run));
        } else if (claim.lost.isDone()) {
            action.run();
        }
    }

    void noMore(Runnable action) {
        Set<Runnable> actions = onLoss.get();
        if (actions != null) {
            actions.remove(action);
        }
    }

    /** Tells the listeners of its loss in one of these threads, if it is lost. */
    void tellLoss(RequestEvents events, EngineExecutors executors) {
        Grant grant = claim.lastGrant();
        events.awaitLoss(claim.lost, request -> grant.lost(request, (Claim.Over) claim.phase()), executors);
    }

    /** Tells the listeners that it was given back. */
    void tellRelease(long now) {
        claim.events.released(request -> claim.lastGrant().released(request, claim.releaseOutcome.handOvers(), now));
    }
}
