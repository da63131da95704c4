package dev.baton.lock.engine;

import dev.baton.lock.LockException;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockState;
import dev.baton.lock.engine.cohort.CohortRegistry;
import dev.baton.lock.engine.lease.EndDispatcher;
import dev.baton.lock.engine.lease.LeaseMonitor;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.wait.AcquireDispatcher;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * Overview. One engine is one identity towards the store, from start to stop.
 *
 *    caller --> LockEngine.acquire --> GrantWait (the one class that waits for a grant)
 *                   |
 *             CohortRegistry              acquisitions of one lock share a ticket, and pass the lock on
 *                   |
 *      store <-- AcquireDispatcher --> RecheckScheduler     sends acquires, repeats them
 *        |          |
 *        |          +----> LeaseMonitor   local ends; --> LeaseRenewer --> store
 *        |          +----> EndDispatcher  --------------------------------> store
 *        +-- EngineInbox --> AcquireDispatcher.told     grants, by message
 *
 * ConditionWaits waits at conditions. All other classes only react. LeaseReleaser and ShutdownSequence wait for answers, within
 * bounds.
 */
/** Acquires locks, keeps their leases, and ends them. */
public final class LockEngine {

    /** A secret that this process shares with the store. Messages name requests by ids that begin with this secret. */
    private final String instance = Identity.newInstance();
    /** The prefix of the owners of this process, which people may see. */
    private final String process = Identity.newInstance();

    private final RequestRegistry registry;
    private final EngineInbox inbox;
    private final EngineExecutors executors;
    private final LockStore store;
    private final EngineSettings settings;
    private final TimeSource time;
    private final EndDispatcher ends;
    private final LeaseMonitor leases;
    private final AcquireDispatcher dispatcher;
    private final CohortRegistry cohorts;
    private final LeaseKeeper keeper;
    private final LeaseReleaser releaser;
    private final ShutdownSequence shutdown;
    private final GrantWait waits;
    private final WantedLocks wanted;
    private final Conditions conditions;

    public LockEngine(LockStore store, EngineSettings settings, TimeSource time) {
        this(store, settings, time, null);
    }

    /**
     * Creates the engine.
     *
     * @param async the executor on which stages complete, or {@code null} for threads of the engine
     */
    public LockEngine(LockStore store, EngineSettings settings, TimeSource time, @Nullable Executor async) {
        this.store = store;
        this.settings = settings;
        this.time = time;
        this.executors = new EngineExecutors(time, async);
        this.registry = new RequestRegistry(instance, settings.maxWaiters());
        this.ends = new EndDispatcher(store, settings, executors, time, registry);
        this.leases = new LeaseMonitor(store, settings, executors, time, ends);
        this.dispatcher = new AcquireDispatcher(store, settings, executors, time, leases, ends);
        this.cohorts =
                new CohortRegistry(registry, settings.cohort(), store, executors, time, dispatcher, leases, ends);
        this.keeper = new LeaseKeeper(store, settings, executors, time, registry, leases, cohorts);
        this.releaser = new LeaseReleaser(settings, executors, time, leases, keeper, ends, cohorts);
        this.shutdown = new ShutdownSequence(settings, time);
        this.waits = new GrantWait(store, settings, time, cohorts, shutdown);
        this.wanted = new WantedLocks(store, settings, executors, time, registry, leases);
        this.inbox = new EngineInbox(registry, executors, dispatcher, leases, ends, wanted);
        this.conditions =
                new Conditions(store, settings, executors, time, registry, leases, cohorts, dispatcher, ends, waits);
    }

    public void start() {
        inbox.start(store, instance);
    }

    public String instance() {
        return instance;
    }

    /** Returns the identity of this process in the names of owners. Unlike the instance, this identity may be shown. */
    public String process() {
        return process;
    }

    public Acquisition acquire(AcquisitionSpec spec) {
        return acquire(spec, acquisition -> {});
    }

    /**
     * Waits for a grant. Returns the acquisition, which holds the lock or has already lost it.
     *
     * @param begun called with the acquisition before its first command is sent
     */
    public Acquisition acquire(AcquisitionSpec spec, Consumer<Acquisition> begun) {
        long askedAt = time.nanoTime();
        if (spec.interruptible() && Thread.currentThread().isInterrupted()) {
            throw new LockInterruptedException(
                    spec.name(), Duration.ZERO, new InterruptedException("interrupted before the lock was requested"));
        }
        Acquisition acquisition = begin(spec, begun, askedAt, true);
        LockException failure = waits.await(acquisition);
        if (failure == null || !giveUp(acquisition)) {
            return acquisition;
        }
        throw failure;
    }

    /**
     * Begins to wait for a grant. The rest happens on the engine's own threads.
     *
     * @param begun called with the acquisition before its first command is sent
     */
    public PendingAcquisition acquireAsync(AcquisitionSpec spec, Consumer<Acquisition> begun) {
        return new PendingAcquisition(this, begin(spec, begun, time.nanoTime(), false));
    }

    /**
     * Begins to wait for a grant.
     *
     * @param awaited whether the calling thread waits for the grant right away
     */
    private Acquisition begin(AcquisitionSpec spec, Consumer<Acquisition> begun, long askedAt, boolean awaited) {
        Acquisition acquisition = new Acquisition(spec, askedAt, registry);
        registry.add(acquisition);
        if (isStopping()) {
            registry.forget(acquisition);
            acquisition.fail();
            throw GrantWait.stopped(acquisition);
        }
        begun.accept(acquisition);
        acquisition.listed();
        if (!spec.tries()) {
            wanted.watch();
        }
        cohorts.begin(acquisition, awaited);
        return acquisition;
    }

    /** Gives up waiting. Returns {@code false} if the lock was granted, perhaps at the very last moment. */
    boolean giveUp(Acquisition acquisition) {
        if (!acquisition.giveUp(time.nanoTime())) {
            return false;
        }
        acquisition.fail();
        cohorts.left(acquisition);
        return true;
    }

    /**
     * Returns the holder of a lock, or {@code null} if there is none.
     *
     * @param known the holder known to the store, or {@code null} if there is none
     */
    @Nullable
    public LockHolder holder(LockName name, @Nullable LockHolder known) {
        return cohorts.holder(name, known);
    }

    /**
     * Returns the state of a lock, including the holder and the waiters of this process.
     *
     * @param known the state known to the store
     * @param waiters the maximum number of waiters to name
     */
    public LockState seen(LockName name, LockState known, int waiters) {
        return cohorts.seen(name, known, waiters);
    }

    /** Returns what handles the messages of the store. */
    public EngineInbox inbox() {
        return inbox;
    }

    /** Returns what waits for grants, and creates the exceptions of acquisitions that are not granted. */
    GrantWait waits() {
        return waits;
    }

    public LeaseReleaser releaser() {
        return releaser;
    }

    /** Marks all leases as lost, because another engine with another identity replaces this one. */
    public void loseAll() {
        leases.lostByRestart();
    }

    public LeaseKeeper keeper() {
        return keeper;
    }

    public LeaseMonitor leases() {
        return leases;
    }

    public TimeSource time() {
        return time;
    }

    /** Returns the monotonic time of the engine. */
    public long nanoTime() {
        return time.nanoTime();
    }

    /** Returns the wall-clock time of the engine. */
    public long wallMillis() {
        return time.wallMillis();
    }

    public EngineExecutors executors() {
        return executors;
    }

    public EngineSettings settings() {
        return settings;
    }

    /** Returns what awaits and signals conditions. */
    public Conditions conditions() {
        return conditions;
    }

    /** Returns why no request can await a condition, and the remedy, or {@code null} if requests can. */
    public @Nullable String noConditions() {
        return store.traits().noConditions();
    }

    /** Returns the longest lease that a request may have, or {@code null} if any length is possible. */
    public @Nullable Duration longestExpire() {
        return store.traits().longestExpire();
    }

    public List<String> keys(List<LockName> names) {
        return names.stream().flatMap(name -> store.keys(name).stream()).toList();
    }

    /** Returns the number of requests that the store may still know: waiting, held, or not ended yet. */
    public int openRequests() {
        return registry.size();
    }

    public int awaitedNames() {
        return dispatcher.awaitedNames();
    }

    /** Returns the number of requests that wait or have not been answered yet. */
    public int waiters() {
        return registry.waiters();
    }

    /**
     * Returns how many of the {@link #waiters()} already have their place, in this process or in the store. A request
     * that begins now comes later.
     */
    public int placed() {
        return registry.placed();
    }

    /** Returns the number of requests that await conditions, as the store has answered. */
    public int awaiting() {
        return registry.awaiting();
    }

    /** Returns the acquisitions that wait now, except those that ask only once. */
    public List<Acquisition> waiting() {
        return registry.waiting();
    }

    public boolean isListening() {
        return !isStopping() && dispatcher.isListening();
    }

    /** Returns whether new requests are refused. */
    public boolean isStopping() {
        return shutdown.hasBegun();
    }

    /**
     * Refuses new requests, fails the waiting ones, and waits for holders and for owed ends, as
     * {@link ShutdownSequence} says. Leases that are still held afterwards are left to their holders. A further call
     * waits for the same stop.
     */
    public void stop() {
        if (!shutdown.begin()) {
            return;
        }
        try {
            registry.failAll();
            shutdown.await(registry::isBusy, () -> !ends.isSettled() || registry.isEnding());
            shutdown.report(leases.names());
            releaser.report();
            executors.stop();
            store.stop();
        } finally {
            shutdown.finish();
        }
    }
}
