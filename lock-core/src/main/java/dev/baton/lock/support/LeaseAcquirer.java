package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTarget;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitTime;
import dev.baton.lock.engine.CallerIdentity;
import dev.baton.lock.engine.Identity;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.event.GrantDetails;
import dev.baton.lock.engine.event.ListenerNotifier;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Turns requests into leases: enters a hold that the owner already has, or lets the engine request the lock. */
final class LeaseAcquirer {

    private final Identity identity = new Identity();
    private final HoldRegistry holds = new HoldRegistry();
    private final LockStore store;
    private final RequestDefaults defaults;
    private final ScopeDefaults scopes;
    private final TimeSource time;
    private final OwnerCoordinator owners;
    private final ListenerNotifier notifier;
    private final AtomicLong requests = new AtomicLong();
    private final ObservationSupport observations;
    private final Supplier<@Nullable LockEngine> engine;

    /**
     * Creates the acquirer.
     *
     * @param observations observes leases that are acquired again
     * @param engine supplies the running engine, or {@code null} if none runs
     */
    LeaseAcquirer(LockTemplateBuilder builder, ObservationSupport observations, Supplier<@Nullable LockEngine> engine) {
        this.store = builder.store;
        this.defaults = builder.defaults();
        this.scopes = builder.scopes();
        this.time = builder.time;
        this.owners = new OwnerCoordinator(this::isHeld, time, defaults.commandTimeoutNanos());
        this.notifier = builder.notifier(engine);
        this.observations = observations;
        this.engine = engine;
    }

    /**
     * A request with everything that its acquisition needs.
     *
     * @param waitTime how long the request may wait
     * @param events the events of the request
     * @param instead whether the new lease replaces a lease that was lost
     */
    record Asked(
            LockEngine running,
            ReentrantHold.Key key,
            CallerIdentity caller,
            LockRequest request,
            WaitTime waitTime,
            RequestEvents events,
            boolean instead) {

        Asked insteadOfLost() {
            return new Asked(running, key, caller, request, waitTime, events, true);
        }

        String owner() {
            return caller.owner(running.process());
        }
    }

    /**
     * Acquires a lease. Waits at most the wait time of the request, or else of its scope, or else the configured one.
     */
    DefaultLease acquire(LockRequest request) {
        return acquire(prepare(request, waitTime(request), identity.callerIdentity(request.owner())));
    }

    /** Acquires a lease. Does not wait, unless the request itself has a wait time. */
    DefaultLease tryAcquire(LockRequest request) {
        return acquire(prepare(request, WaitTime.none(), identity.callerIdentity(request.owner())));
    }

    private WaitTime waitTime(LockRequest request) {
        return scopes.waitTime(request, defaults.waitTime());
    }

    /**
     * Creates an acquisition that does not block; its owner is the call, unless the request names one.
     *
     * @param observer the observation of the lease, or {@code null} if the lease is not observed
     */
    AsyncAcquisition begin(LockRequest given, @Nullable LeaseObservation observer) {
        LockRequest request = RequestValidator.withoutWork(given, defaults.onLost());
        String chosen = request.owner();
        CallerIdentity caller = chosen == null ? identity.call() : identity.callerIdentity(chosen);
        return new AsyncAcquisition(this, owners, prepare(request, waitTime(request), caller), time, observer);
    }

    private Asked prepare(LockRequest given, WaitTime otherwise, CallerIdentity caller) {
        LockRequest request = scopes.complete(given);
        RequestValidator.checkHoldAtLeast(request, defaults.expire());
        RequestValidator.checkSeveral(request, store);
        LockEngine running = engine.get();
        if (running == null) {
            throw new LockStoreException(
                    request.name(), "Lock '" + request.name() + "' is not granted: the lock template is stopped", null);
        }
        WaitTime own = request.waitTime();
        ReentrantHold.Key key = new ReentrantHold.Key(caller.id(), names(request));
        RequestEvents events = events(running, key, caller, request);
        return new Asked(running, key, caller, request, own == null ? otherwise : own, events, false);
    }

    private RequestEvents events(
            LockEngine running, ReentrantHold.Key key, CallerIdentity caller, LockRequest request) {
        return new RequestEvents(
                notifier,
                time,
                () -> new LockListener.Request(
                        requests.incrementAndGet(),
                        key.names().get(0).namespace(),
                        key.names().stream().map(LockName::name).toList(),
                        ScopeDefaults.scope(request),
                        caller.owner(running.process()),
                        caller.label()));
    }

    private DefaultLease acquire(Asked asked) {
        try {
            return asked.caller().chosen()
                    ? owners.acquire(asked.key(), asked.owner(), asked.request(), asked.waitTime(), attempt(asked))
                    : enterOrAsk(asked, asked.request(), acquisition -> {});
        } catch (RuntimeException ex) {
            asked.events().failed(ex);
            throw ex;
        }
    }

    private OwnerCoordinator.Attempt attempt(Asked asked) {
        return new OwnerCoordinator.Attempt() {
            @Override
            public DefaultLease make(LockRequest request, Consumer<Acquisition> begun) {
                return enterOrAsk(asked, request, begun);
            }

            @Override
            public @Nullable DefaultLease enter() {
                ReentrantHold known = enterable(asked.key());
                return known == null ? null : enteredUnlessLost(asked, known);
            }
        };
    }

    private DefaultLease enterOrAsk(Asked asked, LockRequest request, Consumer<Acquisition> begun) {
        LockRequest next = request;
        ReentrantHold known = enterable(asked.key());
        if (known != null) {
            long since = time.nanoTime();
            DefaultLease entered = enteredUnlessLost(asked, known);
            if (entered != null) {
                return entered;
            }
            WaitTime wait = request.waitTime();
            next = request.waitTime(
                    RequestDefaults.left(wait == null ? asked.waitTime() : wait, time.nanoTime() - since));
        }
        checkNotUnderLost(asked);
        asked.events().asked();
        return granted(asked, asked.running().acquire(spec(asked, next), begun));
    }

    /** Returns {@code null} if the hold is lost. The loss is reported where the lease of the hold is closed. */
    private @Nullable DefaultLease enteredUnlessLost(Asked asked, ReentrantHold known) {
        try {
            return reentered(asked, known);
        } catch (LockLostException ex) {
            known.unlist();
            return null;
        }
    }

    private DefaultLease reentered(Asked asked, ReentrantHold known) {
        DefaultLease lease = entered(asked, known);
        try {
            Reentry.run(asked.request(), () -> lease.ensure(leaseNanos(asked), isKept(asked, known)));
            keep(known.acquisition.lastGrant(), time.nanoTime(), asked.request());
            asked.events().entered();
            return lease;
        } catch (RuntimeException ex) {
            lease.release();
            throw ex;
        }
    }

    /**
     * Rejects a request that the current thread makes in work under a lost lease of the same lock, because that work
     * must end.
     */
    void checkNotUnderLost(Asked asked) {
        DefaultLease lost = asked.instead() ? null : holds.lostAround(asked.key());
        if (lost != null) {
            throw lost.lost(null);
        }
    }

    /** Enters the owner's hold once more and returns the hold, or {@code null} if there is none. */
    @Nullable
    ReentrantHold enterable(ReentrantHold.Key key) {
        ReentrantHold known = holds.find(key.owner(), key.names());
        return known != null && known.enter() ? known : null;
    }

    /** Re-enters a hold without waiting for the renewal that the re-entry may need. Fails if the hold is lost. */
    CompletableFuture<DefaultLease> enteredAsync(Asked asked, ReentrantHold known) {
        DefaultLease lease;
        try {
            lease = entered(asked, known);
        } catch (LockLostException ex) {
            return CompletableFuture.failedFuture(ex);
        }
        return lease.ensureAsync(leaseNanos(asked), isKept(asked, known)).handle((done, failure) -> {
            if (failure != null) {
                lease.releaseAsync();
                throw failure instanceof CompletionException wrapper ? wrapper : new CompletionException(failure);
            }
            keep(known.acquisition.lastGrant(), time.nanoTime(), asked.request());
            asked.events().entered();
            return lease;
        });
    }

    AcquisitionSpec spec(Asked asked, LockRequest request) {
        return defaults.spec(
                request, asked.key().names(), asked.owner(), asked.caller().label(), asked.waitTime(), asked.events());
    }

    /** Returns the number of chosen owners, counted per set of locks, with requests in progress. */
    int sharedOwners() {
        return owners.size();
    }

    private long leaseNanos(Asked asked) {
        return defaults.leaseNanos(asked.request());
    }

    private static boolean isKept(Asked asked, ReentrantHold known) {
        return known.acquisition.spec().renewed() && asked.request().expire() == null;
    }

    private boolean isHeld(ReentrantHold.Key key) {
        ReentrantHold known = holds.find(key.owner(), key.names());
        return known != null && known.isOpen();
    }

    /**
     * Returns whether the request would be a re-entry of the calling thread. For a chosen owner, this thread must work
     * under a lease of the hold.
     */
    boolean isHeldByThread(LockRequest request) {
        CallerIdentity caller = identity.callerIdentity(request.owner());
        List<LockName> names = names(request);
        ReentrantHold known = holds.find(caller.id(), names);
        if (known == null || !known.isOpen() || !known.covers(names)) {
            return false;
        }
        // other threads of a chosen owner may release the lock at any moment
        return !caller.chosen()
                || LockContext.leases().stream()
                        .anyMatch(lease -> lease instanceof DefaultLease handle && handle.hold() == known);
    }

    private static List<LockName> names(LockRequest request) {
        String namespace = request.namespace() == null ? "" : request.namespace();
        List<LockTarget> targets = request.targets();
        if (targets.size() == 1) {
            return List.of(new LockName(namespace, targets.get(0).name()));
        }
        return request.names().stream()
                .distinct()
                .sorted()
                .map(name -> new LockName(namespace, name))
                .toList();
    }

    DefaultLease granted(Asked asked, Acquisition acquisition) {
        ReentrantHold hold = new ReentrantHold(asked.key(), acquisition);
        holds.add(hold);
        Grant grant = acquisition.lastGrant();
        hold.tellLoss(asked.events(), asked.running().executors());
        keep(grant, grant.grantedAt, asked.request());
        GrantDetails details = acquisition.details(defaults.onLost(asked.request()));
        DefaultLease lease = lease(asked, hold, details);
        if (!lease.isHeld()) {
            // a pause has outlasted the lease: no work must begin
            lease.releaseAsync();
            throw lease.lost(null);
        }
        asked.events().granted(grant.token, details);
        return lease;
    }

    private DefaultLease entered(Asked asked, ReentrantHold hold) {
        LockRequest request = asked.request();
        DefaultLease lease = lease(asked, hold, GrantDetails.again(defaults.onLost(request)));
        try {
            if (!lease.isHeld()) {
                throw lease.lost(null);
            }
            if (!request.reentrant()) {
                throw new LockDeadlockException(request.name(), hold.acquisition.owner());
            }
            if (!hold.covers(asked.key().names())) {
                throw new LockDeadlockException(request.name(), hold.acquisition.owner(), hold.acquisition.title());
            }
            return lease;
        } catch (RuntimeException ex) {
            lease.releaseAsync();
            throw ex;
        }
    }

    private DefaultLease lease(Asked asked, ReentrantHold hold, GrantDetails details) {
        return new DefaultLease(
                asked.running(),
                hold,
                hold.acquisition.lastGrant(),
                details,
                new HoldReleaser(asked.running(), holds, time),
                expire -> reacquire(hold, asked, expire));
    }

    private static void keep(Grant grant, long from, LockRequest request) {
        Duration least = request.holdAtLeast();
        if (least != null) {
            grant.keepUntil(from + least.toNanos());
        }
    }

    /** Requests the locks of a lost hold again, for the same caller. */
    private Optional<Lease> reacquire(ReentrantHold lost, Asked before, Duration expire) {
        LockRequest again = RequestValidator.withExpire(before.request(), expire)
                .renew(lost.acquisition.spec().renewed() ? Renewal.ALWAYS : Renewal.NEVER)
                .waitTime(WaitTime.none())
                .reentrant(true);
        try {
            return Optional.of(observations.acquire(
                    again,
                    asked -> acquire(
                            prepare(asked, WaitTime.none(), before.caller()).insteadOfLost())));
        } catch (LockTimeoutException ex) {
            return Optional.empty();
        }
    }
}
