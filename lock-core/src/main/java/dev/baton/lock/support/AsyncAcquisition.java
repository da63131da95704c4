package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitTime;
import dev.baton.lock.engine.PendingAcquisition;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Acquires a lease without a waiting thread. Actions that are attached to its future run on callback threads. */
final class AsyncAcquisition {

    private final CompletableFuture<Lease> result = new CompletableFuture<>();
    private final RequestPreparer preparer;
    private final LeaseFactory leases;
    private final LeaseReentry reentry;
    private final OwnerCoordinator owners;
    private final PreparedRequest asked;
    private final TimeSource time;
    private final long deadline;
    /** The observation of the lease, or {@code null} if the lease is not observed. */
    private final @Nullable LeaseObservation observation;

    private volatile @Nullable PendingAcquisition pending;

    AsyncAcquisition(
            RequestPreparer preparer,
            LeaseFactory leases,
            LeaseReentry reentry,
            OwnerCoordinator owners,
            PreparedRequest asked,
            TimeSource time,
            @Nullable LeaseObservation observation) {
        this.preparer = preparer;
        this.leases = leases;
        this.reentry = reentry;
        this.owners = owners;
        this.asked = asked;
        this.time = time;
        this.observation = observation;
        this.deadline = time.nanoTime() + owners.boundNanos(asked.waitTime());
    }

    /**
     * Starts the acquisition. If the caller completes or cancels the future before the grant, the request leaves the
     * queue. A lease that is granted at that moment is released.
     */
    CompletableFuture<Lease> start() {
        result.whenComplete((lease, failure) -> {
            PendingAcquisition waiting = pending;
            if (waiting != null) {
                waiting.cancel();
            }
        });
        attempt(asked.request().waitTime(asked.waitTime()));
        return result;
    }

    private void attempt(LockRequest request) {
        OwnerCoordinator.Asker asker = null;
        try {
            if (enter(this::attemptLeft)) {
                return;
            }
            reentry.checkNotUnderLost(asked);
            asker = asked.caller().chosen() ? owners.ask(asked.key()) : null;
            OwnerCoordinator.Asker listed = asker;
            asked.asked();
            PendingAcquisition waiting = asked.running().acquireAsync(preparer.spec(asked, request), acquisition -> {
                if (listed != null) {
                    listed.begun(acquisition);
                }
            });
            pending = waiting;
            if (result.isDone()) {
                waiting.cancel();
            }
            waiting.outcome().whenComplete((acquisition, failure) -> ended(listed, acquisition, failure));
        } catch (RuntimeException ex) {
            if (asker != null) {
                owners.ended(asker, false);
            }
            done(null, ex);
        }
    }

    /**
     * Enters the owner's hold. Returns {@code false} if there is none.
     *
     * @param ifLost the action if the hold turns out to be lost; not run within the work under that hold. The loss is
     *     reported where the lease of the hold is closed
     */
    private boolean enter(Runnable ifLost) {
        LeaseReentry.Entered known = reentry.enter(asked);
        if (known == null) {
            return false;
        }
        boolean within = known.hold().isAroundCurrentThread();
        reentry.enteredAsync(asked, known).whenComplete((lease, failure) -> {
            if (failure != null && !within && unwrapped(failure) instanceof LockLostException) {
                known.hold().unlist();
                ifLost.run();
            } else {
                done(lease, failure);
            }
        });
        return true;
    }

    private void ended(
            OwnerCoordinator.@Nullable Asker asker, @Nullable Acquisition acquisition, @Nullable Throwable failure) {
        DefaultLease lease = null;
        Throwable why = failure;
        try {
            if (acquisition != null) {
                lease = leases.granted(asked, acquisition);
            }
        } catch (RuntimeException ex) {
            why = ex;
        }
        LockTimeoutException ours = null;
        if (asker != null) {
            ours = why instanceof LockTimeoutException ex && owners.isOurs(asker, asked.owner(), ex) ? ex : null;
            owners.ended(asker, lease != null);
        }
        if (ours == null) {
            done(lease, why);
        } else {
            attemptAgain(ours);
        }
    }

    /** Attempts again with the rest of the wait time. A try remains a try. */
    private void attemptLeft() {
        WaitTime wait = asked.waitTime();
        long gone = time.nanoTime() - deadline + owners.boundNanos(wait);
        attempt(asked.rest(asked.request().waitTime(wait), gone));
    }

    /**
     * Attempts again with the rest of the wait time. Once the wait is over, the store would answer too late: the
     * request enters the owner's hold, or fails.
     */
    private void attemptAgain(LockTimeoutException otherwise) {
        WaitTime wait = asked.waitTime();
        long left = wait.isUnbounded() ? 0 : deadline - time.nanoTime();
        if (wait.isUnbounded() || left > 0) {
            attempt(asked.request().waitTime(wait.isUnbounded() ? wait : WaitTime.of(Duration.ofNanos(left))));
            return;
        }
        try {
            if (!enter(() -> done(null, otherwise))) {
                done(null, otherwise);
            }
        } catch (RuntimeException ex) {
            done(null, ex);
        }
    }

    /** Ends the acquisition. If the caller has already completed the future, the lease is released. */
    private void done(@Nullable DefaultLease lease, @Nullable Throwable failure) {
        if (failure != null) {
            Throwable cause = unwrapped(failure);
            asked.failed(cause);
            if (observation != null) {
                observation.ended(cause);
            }
            result.completeExceptionally(cause);
        } else if (lease != null) {
            if (observation != null) {
                observation.granted(lease);
            }
            if (!result.complete(lease)) {
                lease.releaseAsync();
            }
        }
    }

    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
