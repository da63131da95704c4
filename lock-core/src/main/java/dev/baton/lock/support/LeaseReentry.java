package dev.baton.lock.support;

import dev.baton.lock.LockContext;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.time.TimeSource;
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

    /** Enters the owner's hold once more and returns the hold, or {@code null} if there is none. */
    @Nullable
    ReentrantHold enterable(ReentrantHold.Key key) {
        ReentrantHold known = holds.find(key.owner(), key.names());
        return known != null && known.enter() ? known : null;
    }

    /** Returns {@code null} if the hold is lost. The loss is reported where the lease of the hold is closed. */
    @Nullable
    DefaultLease enteredUnlessLost(PreparedRequest asked, ReentrantHold known) {
        try {
            return reentered(asked, known);
        } catch (LockLostException ex) {
            known.unlist();
            return null;
        }
    }

    private DefaultLease reentered(PreparedRequest asked, ReentrantHold known) {
        DefaultLease lease = entered(asked, known);
        try {
            Reentry.run(asked.request(), () -> lease.ensure(preparer.leaseNanos(asked), isKept(asked, known)));
            took(asked, known);
            return lease;
        } catch (RuntimeException ex) {
            lease.release();
            throw ex;
        }
    }

    /** Re-enters a hold without waiting for the renewal that the re-entry may need. Fails if the hold is lost. */
    CompletableFuture<DefaultLease> enteredAsync(PreparedRequest asked, ReentrantHold known) {
        DefaultLease lease;
        try {
            lease = entered(asked, known);
        } catch (LockLostException ex) {
            return CompletableFuture.failedFuture(ex);
        }
        return lease.ensureAsync(preparer.leaseNanos(asked), isKept(asked, known))
                .handle((done, failure) -> {
                    if (failure != null) {
                        lease.releaseAsync();
                        throw failure instanceof CompletionException wrapper
                                ? wrapper
                                : new CompletionException(failure);
                    }
                    took(asked, known);
                    return lease;
                });
    }

    private void took(PreparedRequest asked, ReentrantHold known) {
        LeaseFactory.keep(known.acquisition.lastGrant(), time.nanoTime(), asked.request());
        asked.events().entered();
    }

    private DefaultLease entered(PreparedRequest asked, ReentrantHold hold) {
        LockRequest request = asked.request();
        DefaultLease lease = leases.again(asked, hold);
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
            return lease;
        } catch (RuntimeException ex) {
            lease.releaseAsync();
            throw ex;
        }
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
        // other threads of a chosen owner may release the lock at any moment
        return request.owner() == null
                || LockContext.leases().stream()
                        .anyMatch(lease -> lease instanceof DefaultLease handle && handle.hold() == known);
    }
}
