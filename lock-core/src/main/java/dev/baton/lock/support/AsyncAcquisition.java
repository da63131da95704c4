package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitTime;
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

    private volatile @Nullable Pending pending;

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
            Pending waiting = pending;
            if (failure != null && waiting != null) {
                waiting.cancel();
            }
        });
        attempt(asked.request().waitTime(asked.waitTime()), false);
        return result;
    }

    private void attempt(LockRequest request, boolean last) {
        SharedOwners.Asker asker = null;
        try {
            Hold known = acquisitions.enterable(asked.key());
            if (known != null) {
                acquisitions.enteredAsync(asked, known).whenComplete(this::done);
                return;
            }
            asker = asked.who().chosen() ? sharedOwners.ask(asked.key()) : null;
            SharedOwners.Asker listed = asker;
            asked.story().asked();
            Pending waiting = asked.running().acquireAsync(acquisitions.spec(asked, request), claim -> {
                if (listed != null) {
                    listed.begun(claim);
                }
            });
            pending = waiting;
            if (result.isCompletedExceptionally()) {
                waiting.cancel();
            }
            waiting.outcome().whenComplete((claim, failure) -> ended(listed, claim, failure, last));
        } catch (RuntimeException ex) {
            if (asker != null) {
                sharedOwners.ended(asker, false);
            }
            done(null, ex);
        }
    }

    private void ended(
            SharedOwners.@Nullable Asker asker, @Nullable Claim claim, @Nullable Throwable failure, boolean last) {
        LeaseHandle lease = null;
        Throwable why = failure;
        try {
            if (claim != null) {
                lease = acquisitions.granted(asked, claim);
            }
        } catch (RuntimeException ex) {
            why = ex;
        }
        boolean again = false;
        if (asker != null) {
            again = !last && why instanceof LockTimeoutException ex && sharedOwners.isOurs(asker, asked.owner(), ex);
            sharedOwners.ended(asker, lease != null);
        }
        if (again) {
            long left = deadline - time.nanoTime();
            boolean unbounded = asked.waitTime().isUnbounded();
            WaitTime wait =
                    unbounded ? asked.waitTime() : left <= 0 ? WaitTime.none() : WaitTime.of(Duration.ofNanos(left));
            attempt(asked.request().waitTime(wait), !unbounded && left <= 0);
        } else {
            done(lease, why);
        }
    }

    /** A lease that comes after nobody wants it any more is given back. */
    private void done(@Nullable LeaseHandle lease, @Nullable Throwable failure) {
        if (failure != null) {
            Throwable cause = unwrapped(failure);
            asked.story().failed(cause);
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
