package dev.baton.lock.support;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockPermits;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTarget;
import dev.baton.lock.OnLost;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.WaitTime;
import dev.baton.lock.engine.CallerIdentity;
import dev.baton.lock.engine.Identity;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.event.ListenerNotifier;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.Taking;
import dev.baton.lock.store.LockName;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Completes requests by the defaults, checks them, and adds their caller and their events. Thread-safe. */
final class RequestPreparer {

    private final Identity identity = new Identity();
    private final RequestDefaults defaults;
    private final ScopeDefaults scopes;
    private final TimeSource time;
    private final ListenerNotifier notifier;
    private final AtomicLong requests = new AtomicLong();
    private final Supplier<@Nullable LockEngine> engine;

    /**
     * Creates the preparer.
     *
     * @param engine supplies the running engine, or {@code null} if none runs
     */
    RequestPreparer(LockTemplateBuilder builder, Supplier<@Nullable LockEngine> engine) {
        this.defaults = builder.defaults();
        this.scopes = builder.scopes();
        this.time = builder.time;
        this.notifier = builder.notifier(engine);
        this.engine = engine;
    }

    /** Prepares a request of the calling thread, which may wait for the wait time of its scope, or else the configured one. */
    PreparedRequest waiting(LockRequest request) {
        return prepare(request, waitTime(request), caller(request));
    }

    /** Returns the caller of a request of this thread. Each request for permits is an owner of its own. */
    private CallerIdentity caller(LockRequest request) {
        return request.permits() == null ? identity.callerIdentity(request.owner()) : identity.callOfThread();
    }

    /** Prepares a request of the calling thread, which does not wait unless the request itself has a wait time. */
    PreparedRequest trying(LockRequest request) {
        return prepare(request, WaitTime.none(), caller(request));
    }

    /** Prepares a request that no thread waits for. Its owner is the call, unless the request names one. */
    PreparedRequest call(LockRequest given) {
        LockRequest request = RequestValidator.withoutWork(given, defaults.onLost());
        String chosen = request.owner();
        CallerIdentity caller = chosen == null ? identity.call() : identity.callerIdentity(chosen);
        return prepare(request, waitTime(request), caller);
    }

    /** Returns the request that asks once for the locks of a lost lease again. */
    static LockRequest again(LockRequest lost, Duration expire, boolean renewed) {
        return RequestValidator.withExpire(lost, expire)
                .renew(renewed ? Renewal.ALWAYS : Renewal.NEVER)
                .waitTime(WaitTime.none())
                .reentrant(true);
    }

    /** Prepares a request that replaces a lost lease, for the caller of that lease. */
    PreparedRequest insteadOfLost(LockRequest request, PreparedRequest lost) {
        return prepare(request, WaitTime.none(), lost.caller()).insteadOfLost();
    }

    private WaitTime waitTime(LockRequest request) {
        return scopes.waitTime(request, defaults.waitTime());
    }

    private PreparedRequest prepare(LockRequest given, WaitTime otherwise, CallerIdentity caller) {
        LockRequest request = checked(given);
        LockEngine running = running(request);
        WaitTime own = request.waitTime();
        ReentrantHold.Key key = new ReentrantHold.Key(caller.id(), names(request));
        String owner = caller.owner(running.process());
        RequestEvents events = events(key, owner, caller.label(), request);
        return new PreparedRequest(
                running,
                key,
                caller,
                owner,
                request,
                own == null ? otherwise : own,
                events,
                shared(request),
                false,
                false);
    }

    /** Returns the running engine. */
    private LockEngine running(LockRequest request) {
        LockEngine running = engine.get();
        if (running == null) {
            throw new LockStoreException(
                    request.name(), "Lock '" + request.name() + "' is not granted: the lock template is stopped", null);
        }
        return running;
    }

    /** Signals a waiter at a condition of a lock that the caller does not need to hold. */
    void signal(LockRequest request, String condition, String owner) {
        LockEngine running = running(request);
        List<LockName> names = names(request);
        RequestValidator.checkConditions(request.title(), names.size(), running.noConditions());
        running.conditions().signal(names.get(0), "", LockNames.checkCondition(condition), false, owner);
    }

    /** Returns the same request for its lock to come back after a wait at a condition, with events of its own. */
    PreparedRequest back(PreparedRequest before) {
        RequestEvents events =
                events(before.key(), before.owner(), before.caller().label(), before.request());
        return before.with(events);
    }

    /** Returns how long the lock may take to come back. A request that did not wait has the wait time of its scope. */
    WaitTime backWithin(PreparedRequest before) {
        return before.waitTime().isNone() ? waitTime(before.request()) : before.waitTime();
    }

    /**
     * Returns a request with all defaults but the wait time.
     *
     * @throws IllegalArgumentException if the request contradicts the configuration, or the store cannot serve it
     */
    private LockRequest checked(LockRequest given) {
        checkServed(given);
        LockRequest request = scopes.complete(given);
        RequestValidator.checkHoldAtLeast(request, defaults.expire());
        return request;
    }

    /**
     * Checks that the store can serve a request.
     *
     * @throws UnservedRequestException if the store does not serve its wait strategy or its mode, if it has a polling
     *     interval and does not poll, if its lease is too long, or if it takes locks of stuck holders and has no stall time
     */
    void checkServed(LockRequest given) {
        RequestValidator.checkShared(given, defaults.traits().exclusiveOnly());
        WaitStrategy strategy = scopes.waitStrategy(given, defaults.traits().waitStrategy());
        RequestValidator.checkWait(given, strategy, defaults.traits(), () -> "lock '" + given.title() + "'");
        LockRequest complete = scopes.complete(given);
        RequestValidator.checkExpire(
                complete, defaults.expire(), defaults.traits().longestExpire(), () -> "lock '" + given.title() + "'");
        RequestValidator.checkOnStuck(complete, defaults.stallTime(), () -> "lock '" + given.title() + "'");
    }

    private RequestEvents events(ReentrantHold.Key key, String owner, String label, LockRequest request) {
        return new RequestEvents(
                notifier,
                time,
                () -> new LockListener.Request(
                        requests.incrementAndGet(),
                        key.names().get(0).namespace(),
                        key.names().stream().map(LockName::name).toList(),
                        ScopeDefaults.scope(request),
                        owner,
                        label,
                        request.mode(),
                        request.permits()));
    }

    /** Returns the owner and the locks of a request, by which the holds of this process are found. */
    ReentrantHold.Key key(LockRequest request) {
        return new ReentrantHold.Key(caller(request).id(), names(request));
    }

    private static List<LockName> names(LockRequest request) {
        String namespace = request.namespace() == null ? "" : request.namespace();
        List<LockTarget> targets = request.targets();
        if (targets.size() == 1) {
            return List.of(new LockName(namespace, targets.get(0).name(), request.permits() != null));
        }
        return request.names().stream()
                .distinct()
                .sorted()
                .map(name -> new LockName(namespace, name))
                .toList();
    }

    /** Returns the locks that a request shares with other readers. */
    private static Set<LockName> shared(LockRequest request) {
        if (!request.isShared()) {
            return Set.of();
        }
        String namespace = request.namespace() == null ? "" : request.namespace();
        return request.sharedNames().stream()
                .map(name -> new LockName(namespace, name))
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns what the engine has to acquire.
     *
     * @param request the request, perhaps with another wait time than the prepared one
     */
    AcquisitionSpec spec(PreparedRequest asked, LockRequest request) {
        AcquisitionSpec known = defaults.spec(
                request, asked.key().names(), asked.owner(), asked.caller().label(), asked.waitTime(), asked.events());
        AcquisitionSpec spec = asked.forced() ? known.taking(Taking.AT_ONCE) : known;
        LockPermits permits = asked.request().permits();
        if (permits != null) {
            return spec.withPermits(permits);
        }
        return asked.shared().isEmpty() ? spec : spec.sharing(asked.shared());
    }

    long leaseNanos(PreparedRequest asked) {
        return defaults.leaseNanos(asked.request());
    }

    OnLost onLost(PreparedRequest asked) {
        return defaults.onLost(asked.request());
    }
}
