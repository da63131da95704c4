package dev.baton.lock.support;

import dev.baton.lock.LockContext;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.store.LockName;
import dev.baton.lock.time.TimeSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Enters holds that an owner already has. Thread-safe. */
final class LeaseReentry {

    private final HoldRegistry holds;
    private final RequestPreparer preparer;
    private final LeaseFactory leases;
    private final TimeSource time;

    LeaseReentry(RequestPreparer preparer, LeaseFactory leases, TimeSource time) {
        this.holds = leases.holds();
        this.preparer = preparer;
        this.leases = leases;
        this.time = time;
    }

    /** A hold that was entered once more. */
    record Entered(ReentrantHold hold, ReentrantHold.Entry entry) {}

    /** Enters the owner's hold once more and returns the hold, or {@code null} if there is none. */
    @Nullable
    Entered enter(PreparedRequest asked) {
        ReentrantHold known = holds.find(asked.key().owner(), asked.key().names());
        if (known == null) {
            return null;
        }
        ReentrantHold.Entry entry = known.enter(!asked.shared().isEmpty());
        return entry == ReentrantHold.Entry.NONE ? null : new Entered(known, entry);
    }

    /** Returns {@code null} if the hold is lost. The loss is reported where the lease of the hold is closed. */
    @Nullable
    DefaultLease enteredUnlessLost(PreparedRequest asked, Entered known) {
        try {
            return reentered(asked, known);
        } catch (LockLostException ex) {
            known.hold().unlist();
            return null;
        }
    }

    private DefaultLease reentered(PreparedRequest asked, Entered known) {
        DefaultLease lease = entered(asked, known);
        try {
            Reentry.run(asked.request(), () -> lease.ensure(preparer.leaseNanos(asked), isKept(asked, known.hold())));
            took(asked, known.hold());
            return lease;
        } catch (RuntimeException ex) {
            lease.release();
            throw ex;
        }
    }

    /** Re-enters a hold without waiting for the renewal that the re-entry may need. Fails if the hold is lost. */
    CompletableFuture<DefaultLease> enteredAsync(PreparedRequest asked, Entered known) {
        DefaultLease lease;
        try {
            lease = entered(asked, known);
        } catch (LockLostException ex) {
            return CompletableFuture.failedFuture(ex);
        }
        return lease.ensureAsync(preparer.leaseNanos(asked), isKept(asked, known.hold()))
                .handle((done, failure) -> {
                    if (failure != null) {
                        lease.releaseAsync();
                        throw failure instanceof CompletionException wrapper
                                ? wrapper
                                : new CompletionException(failure);
                    }
                    took(asked, known.hold());
                    return lease;
                });
    }

    private void took(PreparedRequest asked, ReentrantHold known) {
        LeaseFactory.keep(known.acquisition.lastGrant(), time.nanoTime(), asked.request());
        asked.events().entered();
    }

    private DefaultLease entered(PreparedRequest asked, Entered known) {
        LockRequest request = asked.request();
        ReentrantHold hold = known.hold();
        DefaultLease lease = leases.again(asked, hold, known.entry());
        try {
            if (!lease.isHeld()) {
                throw lease.lost(null);
            }
            if (!request.reentrant()) {
                throw new LockDeadlockException(request.name(), hold.acquisition.label());
            }
            if (!hold.covers(asked.key().names())) {
                throw new LockDeadlockException(request.name(), hold.acquisition.label(), hold.acquisition.title());
            }
            if (isUpgrade(asked, known)) {
                throw LockDeadlockException.upgrade(request.name(), hold.acquisition.label());
            }
            return lease;
        } catch (RuntimeException ex) {
            lease.releaseAsync();
            throw ex;
        }
    }

    /**
     * Returns whether a request wants a lock for itself that its owner shares with others. The entry says whether the lock
     * stays exclusive: its ticket may become that of a reader just now.
     */
    private static boolean isUpgrade(PreparedRequest asked, Entered known) {
        return known.entry() == ReentrantHold.Entry.READER
                ? asked.shared().isEmpty()
                : isUpgrade(asked.key(), asked.request().sharedNames(), known.hold());
    }

    private static boolean isUpgrade(ReentrantHold.Key key, List<String> shared, ReentrantHold hold) {
        for (LockName name : hold.shared()) {
            if (key.names().contains(name) && !shared.contains(name.name())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isKept(PreparedRequest asked, ReentrantHold known) {
        return known.acquisition.spec().renewed() && asked.request().expire() == null;
    }

    /**
     * Rejects a request that the current thread makes in work under a lost lease of the same lock, because that work
     * must end.
     */
    void checkNotUnderLost(PreparedRequest asked) {
        DefaultLease lost = asked.instead() ? null : holds.lostAround(asked.key());
        if (lost != null) {
            throw lost.lost(null);
        }
    }

    boolean isHeld(ReentrantHold.Key key) {
        ReentrantHold known = holds.find(key.owner(), key.names());
        return known != null && known.isOpen();
    }

    /**
     * Returns whether the request would be a re-entry of the calling thread. For a chosen owner, this thread must work
     * under a lease of the hold.
     */
    boolean isHeldByThread(LockRequest request) {
        ReentrantHold.Key key = preparer.key(request);
        ReentrantHold known = holds.find(key.owner(), key.names());
        if (known == null || !known.isOpen() || !known.covers(key.names())) {
            return false;
        }
        if (isUpgrade(key, request.sharedNames(), known)) {
            return false;
        }
        // other threads of a chosen owner may release the lock at any moment
        return request.owner() == null
                || LockContext.leases().stream()
                        .anyMatch(lease -> lease instanceof DefaultLease handle && handle.hold() == known);
    }
}
