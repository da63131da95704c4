package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitTime;
import dev.baton.lock.engine.PendingAcquisition;
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** One request that nobody's thread waits for. What its future is given runs on threads for callbacks. */
final class AsyncAcquisition {

    private final CompletableFuture<Lease> result = new CompletableFuture<>();
    private final LeaseAcquirer acquirer;
    private final OwnerCoordinator owners;
    private final LeaseAcquirer.Asked asked;
    private final TimeSource time;
    private final long deadline;
    /** Null: nobody goes along with the lease. */
    private final @Nullable LeaseObservation observation;

    private volatile @Nullable PendingAcquisition pending;

    AsyncAcquisition(
            LeaseAcquirer acquirer,
            OwnerCoordinator owners,
            LeaseAcquirer.Asked asked,
            TimeSource time,
            @Nullable LeaseObservation observation) {
        this.acquirer = acquirer;
        this.owners = owners;
        this.asked = asked;
        this.time = time;
        this.observation = observation;
        this.deadline = time.nanoTime() + owners.boundNanos(asked.waitTime());
    }

    /** Begins; whoever ends the future before it is granted leaves the queue, or gives back what is granted at that moment. */
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
            acquirer.checkNotUnderLost(asked);
            asker = asked.caller().chosen() ? owners.ask(asked.key()) : null;
            OwnerCoordinator.Asker listed = asker;
            asked.events().asked();
            PendingAcquisition waiting = asked.running().acquireAsync(acquirer.spec(asked, request), claim -> {
                if (listed != null) {
                    listed.begun(claim);
                }
            });
            pending = waiting;
            if (result.isDone()) {
                waiting.cancel();
            }
            waiting.outcome().whenComplete((claim, failure) -> ended(listed, claim, failure));
        } catch (RuntimeException ex) {
            if (asker != null) {
                owners.ended(asker, false);
            }
            done(null, ex);
        }
    }

    /**
     * Enters the owner's hold; false: there is none.
     *
     * @param ifLost if the hold turns out to be lost, which is told where its lease is closed; not within the work under it
     */
    private boolean enter(Runnable ifLost) {
        ReentrantHold known = acquirer.enterable(asked.key());
        if (known == null) {
            return false;
        }
        boolean within = known.isAroundCurrentThread();
        acquirer.enteredAsync(asked, known).whenComplete((lease, failure) -> {
            if (failure != null && !within && unwrapped(failure) instanceof LockLostException) {
                known.unlist();
                ifLost.run();
            } else {
                done(lease, failure);
            }
        });
        return true;
    }

    private void ended(OwnerCoordinator.@Nullable Asker asker, @Nullable Claim claim, @Nullable Throwable failure) {
        DefaultLease lease = null;
        Throwable why = failure;
        try {
            if (claim != null) {
                lease = acquirer.granted(asked, claim);
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

    /** With what is left of the wait; a try is one again. */
    private void attemptLeft() {
        WaitTime wait = asked.waitTime();
        long gone = time.nanoTime() - deadline + owners.boundNanos(wait);
        attempt(asked.request().waitTime(RequestDefaults.left(wait, gone)));
    }

    /** Once the wait is over, another question would be answered too late: there is a hold to enter, or nothing. */
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

    /** A lease that comes after nobody wants it any more is given back. */
    private void done(@Nullable DefaultLease lease, @Nullable Throwable failure) {
        if (failure != null) {
            Throwable cause = unwrapped(failure);
            asked.events().failed(cause);
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
