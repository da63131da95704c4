package dev.baton.lock.engine;

import dev.baton.lock.LockException;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockState;
import dev.baton.lock.engine.cohort.CohortRegistry;
import dev.baton.lock.engine.lease.EndDispatcher;
import dev.baton.lock.engine.lease.LeaseMonitor;
import dev.baton.lock.engine.lease.LeaseRenewer;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Outcome;
import dev.baton.lock.engine.wait.AcquireDispatcher;
import dev.baton.lock.engine.wait.WaiterLimit;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * Overview. One engine is one identity towards the store, from start to stop.
 *
 *    caller --> LockEngine.acquire (the one place that waits for a grant)
 *                   |
 *             CohortRegistry              the claims for one lock ask as one, and pass the lock on
 *                   |
 *      store <-- AcquireDispatcher --> RecheckScheduler     sends acquires, repeats them
 *        |          |
 *        |          +----> LeaseMonitor   local ends; --> LeaseRenewer --> store
 *        |          +----> EndDispatcher  --------------------------------> store
 *        +-- inbox --> AcquireDispatcher.told     grants, by message
 *
 * All other classes only react. LeaseReleaser and ShutdownSequence wait for answers, within bounds.
 */
/** Acquires locks for claims, keeps their leases, and ends the claims. */
public final class LockEngine implements GrantInbox, EndDispatcher.HandOvers {

    /** A secret that this process shares with the store. Messages name requests by ids that begin with this secret. */
    private final String instance = Identity.newInstance();
    /** The prefix of the owners of this process, which people may see. */
    private final String process = Identity.newInstance();

    private final AtomicLong sequence = new AtomicLong();
    private final ConcurrentHashMap<String, Claim> claims = new ConcurrentHashMap<>();
    private final EngineExecutors executors;
    private final LockStore store;
    private final EngineSettings settings;
    private final TimeSource time;
    private final EndDispatcher ends;
    private final LeaseMonitor leases;
    private final AcquireDispatcher dispatcher;
    private final CohortRegistry cohorts;
    private final LeaseReleaser releaser;
    private final WaiterLimit limit;
    private final ShutdownSequence shutdown;
    private final WaitFailures failures;

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
        this.ends = new EndDispatcher(store, settings, executors, time, claim -> claims.remove(claim.id), this);
        this.leases = new LeaseMonitor(
                executors, time, ends, onLost -> new LeaseRenewer(store, settings, executors, time, onLost));
        this.dispatcher = new AcquireDispatcher(store, settings, executors, time, leases, ends);
        this.cohorts = new CohortRegistry(
                this::newId, claims, settings.cohort(), store, executors, time, dispatcher, leases, ends);
        this.releaser = new LeaseReleaser(settings, executors, time, leases, ends, cohorts);
        this.limit = new WaiterLimit(settings.maxWaiters());
        this.shutdown = new ShutdownSequence(settings, time);
        this.failures = new WaitFailures(store, settings, time, cohorts, shutdown);
    }

    public void start() {
        store.start(instance, this);
    }

    public String instance() {
        return instance;
    }

    /** Returns the identity of this process in the names of owners. Unlike the instance, this identity may be shown. */
    public String process() {
        return process;
    }

    public Claim acquire(AcquisitionSpec spec) {
        return acquire(spec, claim -> {});
    }

    /**
     * Waits for a grant. Returns the claim, which holds the lock or has already lost it.
     *
     * @param begun called with the claim before its first command is sent
     */
    public Claim acquire(AcquisitionSpec spec, Consumer<Claim> begun) {
        long askedAt = time.nanoTime();
        if (spec.interruptible() && Thread.currentThread().isInterrupted()) {
            throw new LockInterruptedException(
                    spec.name(), Duration.ZERO, new InterruptedException("interrupted before the lock was asked for"));
        }
        Claim claim = begin(spec, begun, askedAt);
        LockException failure = await(claim);
        if (failure == null || !giveUp(claim)) {
            return claim;
        }
        throw failure;
    }

    /**
     * Begins to wait for a grant. The rest happens on the engine's own threads.
     *
     * @param begun called with the claim before its first command is sent
     */
    public PendingAcquisition acquireAsync(AcquisitionSpec spec, Consumer<Claim> begun) {
        return new PendingAcquisition(this, begin(spec, begun, time.nanoTime()));
    }

    private Claim begin(AcquisitionSpec spec, Consumer<Claim> begun, long askedAt) {
        Claim claim = new Claim(newId(), spec, askedAt);
        limit.enter(claim);
        claims.put(claim.id, claim);
        if (isStopping()) {
            claims.remove(claim.id);
            claim.settled.complete(Outcome.FAILED);
            throw WaitFailures.stopped(claim);
        }
        begun.accept(claim);
        if (!cohorts.begin(claim)) {
            dispatcher.begin(claim);
        }
        return claim;
    }

    /** Returns a new id, which is never used again. */
    private String newId() {
        return instance + ":" + sequence.incrementAndGet();
    }

    /** Gives up waiting. Returns {@code false} if the claim was granted, perhaps at the very last moment. */
    boolean giveUp(Claim claim) {
        if (!claim.giveUp(time.nanoTime())) {
            return false;
        }
        abandon(claim);
        return true;
    }

    /** Waits for a claim. Returns the failure, or {@code null} if the claim was granted. */
    private @Nullable LockException await(Claim claim) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return failures.of(
                            claim,
                            claim.unbounded
                                    ? claim.settled.get()
                                    : time.await(claim.settled, claim.deadline - time.nanoTime()));
                } catch (InterruptedException ex) {
                    interrupted = true;
                    if (claim.interruptible) {
                        return failures.interrupted(claim, ex);
                    }
                }
            }
        } catch (TimeoutException ex) {
            return failures.late(claim);
        } catch (ExecutionException ex) {
            throw new IllegalStateException("a claim settles normally, always", ex);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void abandon(Claim claim) {
        claim.settled.complete(Outcome.FAILED);
        if (claim.cohort() != null) {
            cohorts.left(claim);
            return;
        }
        dispatcher.rechecks().remove(claim);
        if (claim.mayBeInStore()) {
            ends.end(claim);
        } else {
            claims.remove(claim.id);
        }
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

    @Override
    public void granted(List<LockName> names, String id, long token) {
        Claim claim = claims.get(id);
        if (claim == null) {
            endForgotten(names, id);
        } else if (claim.names.equals(names)) {
            dispatcher.told(claim, token);
        } else {
            dispatcher.doubted(claim);
        }
    }

    /**
     * Ends an earlier request that was granted a lock but no longer wants it. Requests of other processes are left
     * alone.
     */
    private void endForgotten(List<LockName> names, String id) {
        if (id.startsWith(instance + ":")) {
            executors.onAsker(0, () -> ends.end(names, id));
        }
    }

    @Override
    public void handedOver(List<LockName> names, String id, long token, long sentAt) {
        Claim claim = claims.get(id);
        if (claim != null) {
            dispatcher.handedOver(claim, token, sentAt);
        } else {
            endForgotten(names, id);
        }
    }

    @Override
    public void revoked(List<LockName> names, String id, long token) {
        Claim claim = claims.get(id);
        if (claim == null) {
            return;
        }
        if (claim.names.containsAll(names) && dispatcher.isPlausible(token)) {
            leases.revoked(claim, token);
        } else {
            dispatcher.doubted(claim);
        }
    }

    @Override
    public void doubtful(List<LockName> names, String id) {
        Claim claim = claims.get(id);
        if (claim != null) {
            dispatcher.doubted(claim);
        }
    }

    @Override
    public void listening() {
        dispatcher.listening();
    }

    @Override
    public void freed(LockName name) {
        dispatcher.freed(name);
    }

    @Override
    public void answerLost(LockName name) {
        dispatcher.answerLost(name);
    }

    /** Returns the factory of exceptions for claims that are not granted. */
    WaitFailures failures() {
        return failures;
    }

    public LeaseReleaser releaser() {
        return releaser;
    }

    public LeaseMonitor leases() {
        return leases;
    }

    public TimeSource time() {
        return time;
    }

    public EngineExecutors executors() {
        return executors;
    }

    public EngineSettings settings() {
        return settings;
    }

    public List<String> keys(List<LockName> names) {
        return names.stream().flatMap(name -> store.keys(name).stream()).toList();
    }

    /** Returns the number of claims that the store may still know: waiting, held, or not ended yet. */
    public int openClaims() {
        // a block that is not over represents members, which are counted
        return (int) claims.values().stream()
                .filter(claim -> claim.standsFor == null || claim.isOver())
                .count();
    }

    public int awaitedNames() {
        return dispatcher.rechecks().size();
    }

    /** Returns the number of requests that wait or have not been answered yet. */
    public int waiters() {
        return limit.count();
    }

    /**
     * Returns how many of the {@link #waiters()} already have their place, in this process or in the store. A request
     * that begins now comes later.
     */
    public int placed() {
        return (int) claims.values().stream()
                .filter(claim -> claim.standsFor == null && !claim.tries && claim.isWaiting())
                .filter(claim -> claim.cohort() != null || claim.attempts() > 0)
                .count();
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
            // a block ends with the last of its members, so blocks are skipped here
            claims.values().stream()
                    .filter(claim -> claim.standsFor == null)
                    .forEach(claim -> claim.settled.complete(Outcome.FAILED));
            shutdown.await(
                    () -> claims.values().stream().anyMatch(claim -> !claim.isOver()),
                    () -> !ends.isSettled() || claims.values().stream().anyMatch(Claim::isWaitingOrEnding));
            shutdown.report(leases.names());
            releaser.report();
            executors.stop();
            store.stop();
        } finally {
            shutdown.finish();
        }
    }
}
