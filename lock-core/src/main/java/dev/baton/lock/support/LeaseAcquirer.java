package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitTime;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Turns requests into leases: enters a hold that the owner already has, or lets the engine request the lock. */
final class LeaseAcquirer {

    private final RequestPreparer preparer;
    private final LeaseFactory leases;
    private final LeaseReentry reentry;
    private final TimeSource time;
    private final OwnerCoordinator owners;
    private final ObservationSupport observations;

    /**
     * Creates the acquirer.
     *
     * @param observations observes leases that are acquired again
     * @param engine supplies the running engine, or {@code null} if none runs
     */
    LeaseAcquirer(LockTemplateBuilder builder, ObservationSupport observations, Supplier<@Nullable LockEngine> engine) {
        this.time = builder.time;
        this.preparer = new RequestPreparer(builder, engine);
        this.leases = new LeaseFactory(preparer, time, this::reacquire);
        this.reentry = new LeaseReentry(preparer, leases, time);
        this.owners =
                new OwnerCoordinator(reentry::isHeld, time, builder.defaults().commandTimeoutNanos());
        this.observations = observations;
    }

    /**
     * Acquires a lease. Waits at most the wait time of the request, or else of its scope, or else the configured one.
     */
    DefaultLease acquire(LockRequest request) {
        return acquire(preparer.waiting(request));
    }

    /** Acquires a lease. Does not wait, unless the request itself has a wait time. */
    DefaultLease tryAcquire(LockRequest request) {
        return acquire(preparer.trying(request));
    }

    /** Takes a lock from its holder. Does not wait. */
    DefaultLease forceAcquire(LockRequest request) {
        return acquire(preparer.trying(request.waitTime(WaitTime.none())).byForce());
    }

    /**
     * Creates an acquisition that does not block; its owner is the call, unless the request names one.
     *
     * @param observer the observation of the lease, or {@code null} if the lease is not observed
     */
    AsyncAcquisition begin(LockRequest request, @Nullable LeaseObservation observer) {
        return begin(preparer.call(request), observer);
    }

    /** As {@link #begin}, for a lock that is taken from its holder. */
    AsyncAcquisition beginByForce(LockRequest request, @Nullable LeaseObservation observer) {
        return begin(preparer.call(request.waitTime(WaitTime.none())).byForce(), observer);
    }

    private AsyncAcquisition begin(PreparedRequest asked, @Nullable LeaseObservation observer) {
        return new AsyncAcquisition(preparer, leases, reentry, owners, asked, time, observer);
    }

    private DefaultLease acquire(PreparedRequest asked) {
        try {
            return asked.caller().chosen()
                    ? owners.acquire(asked.key(), asked.owner(), asked.request(), asked.waitTime(), attempt(asked))
                    : enterOrAsk(asked, asked.request(), acquisition -> {});
        } catch (RuntimeException ex) {
            asked.failed(ex);
            throw ex;
        }
    }

    private OwnerCoordinator.Attempt attempt(PreparedRequest asked) {
        return new OwnerCoordinator.Attempt() {
            @Override
            public DefaultLease make(LockRequest request, Consumer<Acquisition> begun) {
                return enterOrAsk(asked, request, begun);
            }

            @Override
            public @Nullable DefaultLease enter() {
                LeaseReentry.Entered known = reentry.enter(asked);
                return known == null ? null : reentry.enteredUnlessLost(asked, known);
            }
        };
    }

    private DefaultLease enterOrAsk(PreparedRequest asked, LockRequest request, Consumer<Acquisition> begun) {
        LockRequest next = request;
        LeaseReentry.Entered known = reentry.enter(asked);
        if (known != null) {
            long since = time.nanoTime();
            DefaultLease entered = reentry.enteredUnlessLost(asked, known);
            if (entered != null) {
                return entered;
            }
            next = asked.rest(request, time.nanoTime() - since);
        }
        reentry.checkNotUnderLost(asked);
        asked.asked();
        return leases.granted(asked, asked.running().acquire(preparer.spec(asked, next), begun));
    }

    /** Signals a waiter at a condition, as {@link LockTemplate#wakeUp} does. */
    void signal(LockRequest request, String condition, String owner) {
        preparer.signal(request, condition, owner);
    }

    /** Checks a request as {@link LockTemplate#checkServed(LockRequest)} does. */
    void checkServed(LockRequest request) {
        preparer.checkServed(request);
    }

    /** Returns the number of chosen owners, counted per set of locks, with requests in progress. */
    int sharedOwners() {
        return owners.size();
    }

    /** Returns whether the request would be a re-entry of the calling thread. */
    boolean isHeldByThread(LockRequest request) {
        return reentry.isHeldByThread(request);
    }

    /** Requests the locks of a lost hold again, for the same caller. */
    private Optional<Lease> reacquire(ReentrantHold lost, PreparedRequest before, Duration expire) {
        LockRequest again = RequestPreparer.again(
                before.request(), expire, lost.acquisition.spec().renewed());
        try {
            return Optional.of(observations.acquire(again, asked -> acquire(preparer.insteadOfLost(asked, before))));
        } catch (LockTimeoutException ex) {
            return Optional.empty();
        }
    }
}
