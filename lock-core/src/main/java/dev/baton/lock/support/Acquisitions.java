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
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.engine.ticket.ClaimSpec;
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

/** Turns requests into leases: enters what their owner holds already, or has the engine ask for it. */
final class Acquisitions {

    private final Identity identity = new Identity();
    private final Holds holds = new Holds();
    private final LockStore store;
    private final LockDefaults defaults;
    private final ScopeDefaults scopes;
    private final TimeSource time;
    private final SharedOwners sharedOwners;
    private final ListenerNotifier notifier;
    private final AtomicLong requests = new AtomicLong();
    private final Observed observed;
    private final Supplier<@Nullable LockEngine> engine;

    /**
     * Creates it.
     *
     * @param observed goes along with leases that are taken anew
     * @param engine the one that runs, or null
     */
    Acquisitions(LockTemplateBuilder builder, Observed observed, Supplier<@Nullable LockEngine> engine) {
        this.store = builder.store;
        this.defaults = builder.defaults();
        this.scopes = builder.scopes();
        this.time = builder.time;
        this.sharedOwners = new SharedOwners(this::isHeld, time, defaults.commandTimeoutNanos());
        this.notifier = builder.notifier(engine);
        this.observed = observed;
        this.engine = engine;
    }

    /**
     * A request with everything that it needs.
     *
     * @param waitTime how long it may wait
     * @param events the events of the request
     * @param instead whether it is to take the place of a lease that was lost
     */
    record Asked(
            LockEngine running,
            Hold.Key key,
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

    /** Waits for the wait time of the request, or of its scope, or the configured one. */
    LeaseHandle acquire(LockRequest request) {
        return acquire(prepare(request, waitTime(request), identity.callerIdentity(request.owner())));
    }

    /** Does not wait, unless the request itself has a wait time. */
    LeaseHandle tryAcquire(LockRequest request) {
        return acquire(prepare(request, WaitTime.none(), identity.callerIdentity(request.owner())));
    }

    private WaitTime waitTime(LockRequest request) {
        return scopes.waitTime(request, defaults.waitTime());
    }

    /**
     * Begins to wait; the owner is the call, unless the request names one.
     *
     * @param observer goes along with the lease; null: nobody does
     */
    AsyncAcquisition begin(LockRequest given, @Nullable ObservedLease observer) {
        LockRequest request = LeaseRules.withoutWork(given, defaults.onLost());
        String chosen = request.owner();
        CallerIdentity caller = chosen == null ? identity.call() : identity.callerIdentity(chosen);
        return new AsyncAcquisition(this, sharedOwners, prepare(request, waitTime(request), caller), time, observer);
    }

    private Asked prepare(LockRequest given, WaitTime otherwise, CallerIdentity caller) {
        LockRequest request = scopes.complete(given);
        LeaseRules.checkHoldAtLeast(request, defaults.expire());
        LockRequestSupport.checkSeveral(request, store);
        LockEngine running = engine.get();
        if (running == null) {
            throw new LockStoreException(
                    request.name(), "Lock '" + request.name() + "' is not granted: the lock template is stopped", null);
        }
        WaitTime own = request.waitTime();
        Hold.Key key = new Hold.Key(caller.id(), names(request));
        RequestEvents events = events(running, key, caller, request);
        return new Asked(running, key, caller, request, own == null ? otherwise : own, events, false);
    }

    private RequestEvents events(LockEngine running, Hold.Key key, CallerIdentity caller, LockRequest request) {
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

    private LeaseHandle acquire(Asked asked) {
        try {
            return asked.caller().chosen()
                    ? sharedOwners.acquire(
                            asked.key(), asked.owner(), asked.request(), asked.waitTime(), attempt(asked))
                    : enterOrAsk(asked, asked.request(), claim -> {});
        } catch (RuntimeException ex) {
            asked.events().failed(ex);
            throw ex;
        }
    }

    private SharedOwners.Attempt attempt(Asked asked) {
        return new SharedOwners.Attempt() {
            @Override
            public LeaseHandle make(LockRequest request, Consumer<Claim> begun) {
                return enterOrAsk(asked, request, begun);
            }

            @Override
            public @Nullable LeaseHandle enter() {
                Hold known = enterable(asked.key());
                return known == null ? null : enteredUnlessLost(asked, known);
            }
        };
    }

    private LeaseHandle enterOrAsk(Asked asked, LockRequest request, Consumer<Claim> begun) {
        LockRequest next = request;
        Hold known = enterable(asked.key());
        if (known != null) {
            long since = time.nanoTime();
            LeaseHandle entered = enteredUnlessLost(asked, known);
            if (entered != null) {
                return entered;
            }
            WaitTime wait = request.waitTime();
            next = request.waitTime(LockDefaults.left(wait == null ? asked.waitTime() : wait, time.nanoTime() - since));
        }
        checkNotUnderLost(asked);
        asked.events().asked();
        return granted(asked, asked.running().acquire(spec(asked, next), begun));
    }

    /** Null: the hold is lost, which is told where its lease is closed. */
    private @Nullable LeaseHandle enteredUnlessLost(Asked asked, Hold known) {
        try {
            return reentered(asked, known);
        } catch (LockLostException ex) {
            known.unlist();
            return null;
        }
    }

    private LeaseHandle reentered(Asked asked, Hold known) {
        LeaseHandle lease = entered(asked, known);
        try {
            Reentry.run(asked.request(), () -> lease.ensure(leaseNanos(asked), isKept(asked, known)));
            keep(known.claim.lastGrant(), time.nanoTime(), asked.request());
            asked.events().entered();
            return lease;
        } catch (RuntimeException ex) {
            lease.release();
            throw ex;
        }
    }

    /** Refuses what the current thread asks for in work under a lost lease of the same lock: the work is to end. */
    void checkNotUnderLost(Asked asked) {
        LeaseHandle lost = asked.instead() ? null : holds.lostAround(asked.key());
        if (lost != null) {
            throw lost.lost(null);
        }
    }

    /** The owner's hold, entered once more; null: there is none. */
    @Nullable
    Hold enterable(Hold.Key key) {
        Hold known = holds.find(key.owner(), key.names());
        return known != null && known.enter() ? known : null;
    }

    /** As a blocking re-entry, without waiting for the renewal that it may need. Fails with a loss. */
    CompletableFuture<LeaseHandle> enteredAsync(Asked asked, Hold known) {
        LeaseHandle lease;
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
            keep(known.claim.lastGrant(), time.nanoTime(), asked.request());
            asked.events().entered();
            return lease;
        });
    }

    ClaimSpec spec(Asked asked, LockRequest request) {
        return defaults.spec(
                        request,
                        asked.key().names(),
                        asked.owner(),
                        asked.caller().label(),
                        asked.waitTime())
                .events(asked.events());
    }

    /** Owners for whom somebody asks. */
    int sharedOwners() {
        return sharedOwners.size();
    }

    private long leaseNanos(Asked asked) {
        return defaults.leaseNanos(asked.request());
    }

    private static boolean isKept(Asked asked, Hold known) {
        return known.claim.renewed && asked.request().expire() == null;
    }

    private boolean isHeld(Hold.Key key) {
        Hold known = holds.find(key.owner(), key.names());
        return known != null && known.isOpen();
    }

    /** Whether it is a re-entry of the calling thread; for a chosen owner, one of the work that this thread does. */
    boolean isHeldByThread(LockRequest request) {
        CallerIdentity caller = identity.callerIdentity(request.owner());
        List<LockName> names = names(request);
        Hold known = holds.find(caller.id(), names);
        if (known == null || !known.isOpen() || !known.covers(names)) {
            return false;
        }
        // other threads of a chosen owner may give the lock back at any moment
        return !caller.chosen()
                || LockContext.leases().stream()
                        .anyMatch(lease -> lease instanceof LeaseHandle handle && handle.hold() == known);
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

    LeaseHandle granted(Asked asked, Claim claim) {
        Hold hold = new Hold(asked.key(), claim);
        holds.add(hold);
        Grant grant = claim.lastGrant();
        hold.tellLoss(asked.events(), asked.running().executors());
        keep(grant, grant.grantedAt, asked.request());
        GrantDetails details = grant.details(claim, defaults.onLost(asked.request()));
        LeaseHandle lease = lease(asked, hold, details);
        if (!lease.isHeld()) {
            // a pause has outlasted it: no work must begin
            lease.releaseAsync();
            throw lease.lost(null);
        }
        asked.events().granted(grant.token, details);
        return lease;
    }

    private LeaseHandle entered(Asked asked, Hold hold) {
        LockRequest request = asked.request();
        LeaseHandle lease = lease(asked, hold, GrantDetails.again(defaults.onLost(request)));
        try {
            if (!lease.isHeld()) {
                throw lease.lost(null);
            }
            if (!request.reentrant()) {
                throw new LockDeadlockException(request.name(), hold.claim.owner);
            }
            if (!hold.covers(asked.key().names())) {
                throw new LockDeadlockException(request.name(), hold.claim.owner, hold.claim.title);
            }
            return lease;
        } catch (RuntimeException ex) {
            lease.releaseAsync();
            throw ex;
        }
    }

    private LeaseHandle lease(Asked asked, Hold hold, GrantDetails details) {
        return new LeaseHandle(
                asked.running(),
                hold,
                hold.claim.lastGrant(),
                details,
                new Entries(asked.running()),
                expire -> reacquire(hold, asked, expire));
    }

    private static void keep(Grant grant, long from, LockRequest request) {
        Duration least = request.holdAtLeast();
        if (least != null) {
            grant.keepUntil(from + least.toNanos());
        }
    }

    /** Asks for what was lost once more, for whoever had it. */
    private Optional<Lease> reacquire(Hold lost, Asked before, Duration expire) {
        LockRequest again = LeaseRules.withExpire(before.request(), expire)
                .renew(lost.claim.renewed ? Renewal.ALWAYS : Renewal.NEVER)
                .waitTime(WaitTime.none())
                .reentrant(true);
        try {
            return Optional.of(observed.acquire(
                    again,
                    asked -> acquire(
                            prepare(asked, WaitTime.none(), before.caller()).insteadOfLost())));
        } catch (LockTimeoutException ex) {
            return Optional.empty();
        }
    }

    /** Counts who leaves; the last one gives the lock back. */
    private final class Entries implements Leaving {

        private final LockEngine running;

        Entries(LockEngine running) {
            this.running = running;
        }

        @Override
        public boolean leave(Hold hold) {
            return hold.leave() ? released(hold, running.releaser().release(forgotten(hold))) : isOurs(hold);
        }

        @Override
        public CompletableFuture<Boolean> leaveAsync(Hold hold) {
            return hold.leave()
                    ? running.releaser().releaseAsync(forgotten(hold)).thenApply(ours -> released(hold, ours))
                    : CompletableFuture.completedFuture(isOurs(hold));
        }

        private Claim forgotten(Hold hold) {
            holds.remove(hold);
            return hold.claim;
        }

        private boolean released(Hold hold, boolean ours) {
            if (ours) {
                hold.tellRelease(time.nanoTime());
            }
            return ours;
        }

        private boolean isOurs(Hold hold) {
            Grant grant = hold.claim.grant();
            return grant != null && !running.leases().isLost(hold.claim, grant, time.nanoTime());
        }
    }
}
