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
    private final Acquisitions acquisitions;
    private final SharedOwners sharedOwners;
    private final Acquisitions.Asked asked;
    private final TimeSource time;
    private final long deadline;
    /** Null: nobody goes along with the lease. */
    private final @Nullable ObservedLease observed;

    private volatile @Nullable PendingAcquisition pending;

    AsyncAcquisition(
            Acquisitions acquisitions,
            SharedOwners sharedOwners,
            Acquisitions.Asked asked,
            TimeSource time,
            @Nullable ObservedLease observed) {
        this.acquisitions = acquisitions;
        this.sharedOwners = sharedOwners;
        this.asked = asked;
        this.time = time;
        this.observed = observed;
        this.deadline = time.nanoTime() + sharedOwners.boundNanos(asked.waitTime());
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
        SharedOwners.Asker asker = null;
        try {
            if (enter(this::attemptLeft)) {
                return;
            }
            acquisitions.checkNotUnderLost(asked);
            asker = asked.caller().chosen() ? sharedOwners.ask(asked.key()) : null;
            SharedOwners.Asker listed = asker;
            asked.events().asked();
            PendingAcquisition waiting = asked.running().acquireAsync(acquisitions.spec(asked, request), claim -> {
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
                sharedOwners.ended(asker, false);
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
        Hold known = acquisitions.enterable(asked.key());
        if (known == null) {
            return false;
        }
        boolean within = known.isAroundCurrentThread();
        acquisitions.enteredAsync(asked, known).whenComplete((lease, failure) -> {
            if (failure != null && !within && unwrapped(failure) instanceof LockLostException) {
                known.unlist();
                ifLost.run();
            } else {
                done(lease, failure);
            }
        });
        return true;
    }

    private void ended(SharedOwners.@Nullable Asker asker, @Nullable Claim claim, @Nullable Throwable failure) {
        LeaseHandle lease = null;
        Throwable why = failure;
        try {
            if (claim != null) {
                lease = acquisitions.granted(asked, claim);
            }
        } catch (RuntimeException ex) {
            why = ex;
        }
        LockTimeoutException ours = null;
        if (asker != null) {
            ours = why instanceof LockTimeoutException ex && sharedOwners.isOurs(asker, asked.owner(), ex) ? ex : null;
            sharedOwners.ended(asker, lease != null);
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
        long gone = time.nanoTime() - deadline + sharedOwners.boundNanos(wait);
        attempt(asked.request().waitTime(LockDefaults.left(wait, gone)));
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
    private void done(@Nullable LeaseHandle lease, @Nullable Throwable failure) {
        if (failure != null) {
            Throwable cause = unwrapped(failure);
            asked.events().failed(cause);
            if (observed != null) {
                observed.ended(cause);
            }
            result.completeExceptionally(cause);
        } else if (lease != null) {
            if (observed != null) {
                observed.granted(lease);
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
