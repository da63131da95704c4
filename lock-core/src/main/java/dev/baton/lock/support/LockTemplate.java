package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockCapabilities;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockState;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.OnLost;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitTime;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Takes locks: by callback, or as a lease to be closed. Built by {@link #builder(LockStore)}; in an application it is a bean.
 *
 * <p>Thread-safe. Starts when it is built and stops with the application: it then refuses new requests, wakes those who
 * wait, and waits for those who hold a lock ({@code baton.shutdown.await}); what is held even then is left to its holder, and
 * its lease ends by itself. Started again, as after a checkpoint,
 * it has a new identity, and leases of before are lost.
 */
public final class LockTemplate implements LockOperations, SmartLifecycle, AutoCloseable {

    /** Stops after web servers and executors, and before the connections to Redis. */
    private static final int PHASE = 1024;

    private final LockStore store;
    private final EngineSettings settings;
    private final LockDefaults defaults;
    private final TimeSource time;
    private final Identity identity = new Identity();
    private final Holds holds = new Holds();
    private final SharedOwners sharedOwners;
    private final Announcements announcements;

    private final Inspecting inspecting;

    /** Guards the changes of the engine; held for moments only. */
    private final ReentrantLock lifecycle = new ReentrantLock();

    private volatile @Nullable LockEngine engine;
    /** The one before, whose leases are lost when another is started. */
    private volatile @Nullable LockEngine stopped;

    private LockTemplate(LockTemplateBuilder builder) {
        this.store = builder.store;
        this.settings = builder.settings();
        this.defaults = builder.defaults();
        this.time = builder.time;
        this.sharedOwners = new SharedOwners(this::isHeld, time, settings.commandTimeoutNanos());
        this.announcements = builder.announcements();
        this.inspecting = new Inspecting(store, settings);
    }

    static LockTemplate start(LockTemplateBuilder builder) {
        LockTemplate template = new LockTemplate(builder);
        template.start();
        return template;
    }

    /**
     * Begins a template on a store, which it starts and stops.
     *
     * @param store not shared with another template
     */
    public static LockTemplateBuilder builder(LockStore store) {
        return new LockTemplateBuilder(store);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> action)
            throws E {
        return callWith(acquire(request, defaults.waitTime()), action);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> LockResult<T> tryExecute(
            LockRequest request, LockCallback<T, E> action) throws E {
        LeaseHandle lease;
        try {
            lease = acquire(request, WaitTime.none());
        } catch (LockTimeoutException ex) {
            return new LockResult.Busy<>(
                    ex.getHolder().orElse(null),
                    ex.getHolder().map(holder -> holder.remaining()).orElse(Duration.ZERO));
        }
        return new LockResult.Executed<>(callWith(lease, action));
    }

    @Override
    public Lease acquire(LockRequest request) {
        return acquire(LeaseRules.withoutWork(request, defaults.onLost()), defaults.waitTime());
    }

    @Override
    public Optional<Lease> tryAcquire(LockRequest request) {
        try {
            return Optional.of(acquire(LeaseRules.withoutWork(request, defaults.onLost()), WaitTime.none()));
        } catch (LockTimeoutException ex) {
            return Optional.empty();
        }
    }

    @Override
    public LockState inspect(LockRequest request) {
        return inspecting.inspect(request);
    }

    @Override
    public boolean isLocked(LockRequest request) {
        return inspecting.isLocked(request);
    }

    @Override
    public Stream<LockState> list(String pattern, @Nullable String namespace) {
        return inspecting.list(pattern, namespace);
    }

    @Override
    public boolean forceRelease(LockRequest request) {
        return inspecting.forceRelease(request);
    }

    @Override
    public LockOperations withNamespace(String namespace) {
        return new NamespacedOperations(this, namespace);
    }

    private static <T extends @Nullable Object, E extends Exception> T callWith(
            LeaseHandle lease, LockCallback<T, E> action) throws E {
        T result;
        try {
            result = lease.interrupts()
                    ? LossInterrupts.callWith(lease.hold(), lease, action)
                    : LockContext.callWith(lease, action);
        } catch (Throwable thrown) {
            try {
                lease.close();
            } catch (RuntimeException ours) {
                thrown.addSuppressed(ours);
            }
            throw thrown;
        }
        lease.finish(result);
        return result;
    }

    private LeaseHandle acquire(LockRequest request, WaitTime waitTime) {
        return acquire(request, waitTime, identity.requester(request.owner()));
    }

    private LeaseHandle acquire(LockRequest request, WaitTime otherwise, Requester who) {
        List<LockName> names = names(request);
        LeaseRules.checkHoldAtLeast(request, defaults.expire());
        LockRequestSupport.checkSeveral(request, store);
        LockEngine running = engine;
        if (running == null) {
            throw new LockStoreException(
                    request.name(), "Lock '" + request.name() + "' is not granted: the lock template is stopped", null);
        }
        Hold.Key key = new Hold.Key(who.id(), names);
        WaitTime own = request.waitTime();
        WaitTime wait = own == null ? otherwise : own;
        try {
            return who.chosen()
                    ? sharedOwners.acquire(
                            key,
                            who.owner(running.instance()),
                            request,
                            wait,
                            (asked, begun) -> enterOrAsk(running, key, who, asked, wait, begun))
                    : enterOrAsk(running, key, who, request, wait, claim -> {});
        } catch (LockTimeoutException ex) {
            announcements.timedOut(names, who.owner(running.instance()), ex);
            throw ex;
        }
    }

    private LeaseHandle enterOrAsk(
            LockEngine running,
            Hold.Key key,
            Requester who,
            LockRequest request,
            WaitTime otherwise,
            Consumer<Claim> begun) {
        Hold known = holds.find(key.owner(), key.names());
        if (known != null && known.enter()) {
            return reenter(running, known, who, request, key.names());
        }
        String owner = who.owner(running.instance());
        Claim claim = running.acquire(defaults.spec(request, key.names(), owner, who.label(), otherwise), begun);
        return granted(running, key, claim, who, request);
    }

    private boolean isHeld(Hold.Key key) {
        Hold known = holds.find(key.owner(), key.names());
        return known != null && known.isOpen();
    }

    private static List<LockName> names(LockRequest request) {
        String namespace = request.namespace() == null ? "" : request.namespace();
        return request.names().stream()
                .distinct()
                .sorted()
                .map(name -> new LockName(namespace, name))
                .toList();
    }

    private LeaseHandle granted(LockEngine running, Hold.Key key, Claim claim, Requester who, LockRequest request) {
        Hold hold = new Hold(key, claim);
        holds.add(hold);
        Grant grant = claim.lastGrant();
        announcements.awaitLoss(claim, grant, running.threads());
        keep(grant, grant.grantedAt, request);
        Entry entry = Entry.granted(claim, grant, defaults.onLost(request));
        LeaseHandle lease = lease(running, hold, entry, who, request);
        if (!lease.isHeld()) {
            // a pause has outlasted it: no work must begin
            lease.release();
            throw lease.lost(null);
        }
        announcements.granted(claim, grant, entry);
        return lease;
    }

    private LeaseHandle reenter(
            LockEngine running, Hold hold, Requester who, LockRequest request, List<LockName> names) {
        LeaseHandle lease = lease(running, hold, Entry.again(defaults.onLost(request)), who, request);
        try {
            if (!lease.isHeld()) {
                // said once: a lost lease that nobody closes must not bar its owner from the lock for ever
                holds.remove(hold);
                throw lease.lost(null);
            }
            if (!request.reentrant()) {
                throw new LockDeadlockException(request.name(), hold.claim.owner);
            }
            if (!hold.covers(names)) {
                throw new LockDeadlockException(request.name(), hold.claim.owner, hold.claim.title);
            }
            boolean kept = hold.claim.renewed && request.expire() == null;
            Reentry.run(request, () -> lease.ensure(defaults.leaseNanos(request), kept));
            keep(hold.claim.lastGrant(), time.nanoTime(), request);
        } catch (RuntimeException ex) {
            lease.release();
            throw ex;
        }
        return lease;
    }

    private LeaseHandle lease(LockEngine running, Hold hold, Entry entry, Requester who, LockRequest request) {
        return new LeaseHandle(
                running,
                hold,
                hold.claim.lastGrant(),
                entry,
                left -> leave(running, left),
                expire -> reacquire(hold, who, request, expire));
    }

    private static void keep(Grant grant, long from, LockRequest request) {
        Duration least = request.holdAtLeast();
        if (least != null) {
            grant.keepUntil(from + least.toNanos());
        }
    }

    /** Asks for what was lost once more, for whoever had it. */
    private Optional<Lease> reacquire(Hold lost, Requester who, LockRequest request, Duration expire) {
        LockRequest again = request.expire(expire)
                .renew(lost.claim.renewed ? Renewal.ALWAYS : Renewal.NEVER)
                .waitTime(WaitTime.none())
                .reentrant(true);
        holds.remove(lost);
        try {
            return Optional.of(acquire(again, WaitTime.none(), who));
        } catch (LockTimeoutException ex) {
            return Optional.empty();
        }
    }

    /** Whether it was ours until now; gives the lock back if that was the last entry. */
    private boolean leave(LockEngine running, Hold hold) {
        if (hold.leave()) {
            holds.remove(hold);
            return release(running, hold.claim);
        }
        Grant grant = hold.claim.grant();
        return grant != null && !running.holding().isLost(hold.claim, grant, time.nanoTime());
    }

    private boolean release(LockEngine running, Claim claim) {
        boolean ours = running.releasing().release(claim);
        if (ours) {
            announcements.released(claim, claim.lastGrant(), time.nanoTime());
        }
        return ours;
    }

    /** Starts again after a stop, for whose end it waits if that is still going on. */
    @Override
    public void start() {
        LockEngine known = engine;
        if (known != null && known.isStopping()) {
            stop();
        }
        lifecycle.lock();
        try {
            if (engine == null) {
                LockEngine before = stopped;
                if (before != null) {
                    before.holding().lostAll(Renewing.RESTARTED);
                    stopped = null;
                }
                LockEngine fresh = new LockEngine(store, settings, time);
                fresh.start();
                engine = fresh;
            }
        } finally {
            lifecycle.unlock();
        }
    }

    /**
     * Refuses new requests and tells those who wait, at once; then waits for those who hold a lock, whose leases are renewed
     * and given back meanwhile and who may enter their locks again, at most {@code baton.shutdown.await}. Nothing is released
     * under running work: what is held after it is named in a warning, and comes free when its lease ends.
     */
    @Override
    public void stop() {
        LockEngine stopping = engine;
        if (stopping == null) {
            return;
        }
        stopping.stop();
        lifecycle.lock();
        try {
            if (engine == stopping) {
                engine = null;
                stopped = stopping;
            }
        } finally {
            lifecycle.unlock();
        }
    }

    /** As {@link #stop()}, in a thread of its own: whatever else stops with the application does so meanwhile. */
    @Override
    public void stop(Runnable callback) {
        Thread stopper = new Thread(
                () -> {
                    try {
                        stop();
                    } finally {
                        callback.run();
                    }
                },
                "baton-stop");
        stopper.setDaemon(true);
        stopper.start();
    }

    /** Whether locks are granted; false as soon as a stop has begun. */
    @Override
    public boolean isRunning() {
        LockEngine running = engine;
        return running != null && !running.isStopping();
    }

    /**
     * Whether those who wait would be told of a grant just now, as far as is known. If not (Redis is not reached yet, or the
     * subscription is being restored), they ask once per recheck.
     */
    public boolean isListening() {
        LockEngine running = engine;
        return running != null && running.isListening();
    }

    /**
     * How locks are kept and handed over here. Asks the server what it is and waits for the answer, at most the command
     * time-out; without one that is left out.
     */
    public LockCapabilities capabilities() {
        return store.capabilities(settings.commandTimeoutNanos()).join();
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** As {@link #stop()}. */
    @Override
    public void close() {
        stop();
    }

    /** For tests of the engine itself. */
    @Nullable
    LockEngine engine() {
        return engine;
    }

    /** What a request is given that it leaves open. */
    record LockDefaults(Duration expire, WaitTime waitTime, long commandTimeoutNanos, OnLost onLost) {

        private static final Duration LONGEST_WAIT = Duration.ofDays(36500);

        long leaseNanos(LockRequest request) {
            Duration own = request.expire();
            return (own == null ? expire : own).toNanos();
        }

        OnLost onLost(LockRequest request) {
            OnLost own = request.onLost();
            return own == null ? onLost : own;
        }

        ClaimSpec spec(LockRequest request, List<LockName> names, String owner, String label, WaitTime otherwise) {
            WaitTime own = request.waitTime();
            WaitTime wait = own == null ? otherwise : own;
            boolean renewed =
                    request.renew() == Renewal.ALWAYS || request.renew() == Renewal.AUTO && request.expire() == null;
            long waitNanos = wait.isUnbounded()
                    ? 0
                    : wait.isNone()
                            ? commandTimeoutNanos
                            : bounded(wait.duration()).toNanos();
            return new ClaimSpec(
                            names,
                            owner,
                            label,
                            leaseNanos(request),
                            renewed,
                            waitNanos,
                            wait.isUnbounded(),
                            wait.isNone())
                    .manner(WaitManner.of(request));
        }

        static Duration bounded(Duration wait) {
            return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
        }
    }
}
