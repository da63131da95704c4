package dev.baton.lock.support;

import dev.baton.lock.LockException;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockState;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.StoreException;
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
 *    caller --> LockEngine.acquire (the one place that blocks)
 *                   |
 *               Cohorts                   those of one lock ask as one, and pass it on
 *                   |
 *      store <-- Asking --> Guards        sends acquires, repeats them
 *        |          |
 *        |          +----> Holding        local ends; --> Renewing --> store
 *        |          +----> Ending  -----------------------------------> store
 *        +-- inbox --> Asking.told        a grant, by message
 *
 * All but this class only react: none of them waits.
 */
/** Gets claims granted, and keeps and ends them. */
final class LockEngine implements GrantInbox, Ending.HandOvers {

    private final String instance = Identity.newInstance();
    private final AtomicLong sequence = new AtomicLong();
    private final ConcurrentHashMap<String, Claim> claims = new ConcurrentHashMap<>();
    private final EngineThreads threads;
    private final LockStore store;
    private final EngineSettings settings;
    private final TimeSource time;
    private final Ending ending;
    private final Holding holding;
    private final Asking asking;
    private final Cohorts cohorts;
    private final Releasing releasing;
    private final WaiterLimit limit;
    private final Stopping stopping;

    LockEngine(LockStore store, EngineSettings settings, TimeSource time) {
        this(store, settings, time, null);
    }

    /**
     * Creates the engine.
     *
     * @param async where stages complete; null: on threads of its own
     */
    LockEngine(LockStore store, EngineSettings settings, TimeSource time, @Nullable Executor async) {
        this.store = store;
        this.settings = settings;
        this.time = time;
        this.threads = new EngineThreads(time, async);
        this.ending = new Ending(store, settings, threads, time, claim -> claims.remove(claim.id), this);
        this.holding =
                new Holding(threads, time, ending, onLost -> new Renewing(store, settings, threads, time, onLost));
        this.asking = new Asking(store, settings, threads, time, holding, ending);
        this.cohorts =
                new Cohorts(this::newId, claims, settings.cohort(), store, threads, time, asking, holding, ending);
        this.releasing = new Releasing(settings, threads, time, holding, ending, cohorts);
        this.limit = new WaiterLimit(settings.maxWaiters());
        this.stopping = new Stopping(settings, time);
    }

    void start() {
        store.start(instance, this);
    }

    String instance() {
        return instance;
    }

    Claim acquire(ClaimSpec spec) {
        return acquire(spec, claim -> {});
    }

    /**
     * Waits for a grant; returns the claim, which holds the lock (or has lost it already).
     *
     * @param begun given the claim before it is asked for
     */
    Claim acquire(ClaimSpec spec, Consumer<Claim> begun) {
        long askedAt = time.nanoTime();
        if (spec.manner().interruptible() && Thread.currentThread().isInterrupted()) {
            throw new LockInterruptedException(
                    spec.title(), Duration.ZERO, new InterruptedException("interrupted before the lock was asked for"));
        }
        Claim claim = begin(spec, begun, askedAt);
        LockException failure = await(claim);
        if (failure == null || !giveUp(claim)) {
            return claim;
        }
        throw failure;
    }

    /**
     * Begins to wait for a grant; the rest happens on the engine's own threads.
     *
     * @param begun given the claim before it is asked for
     */
    Pending acquireAsync(ClaimSpec spec, Consumer<Claim> begun) {
        return new Pending(this, begin(spec, begun, time.nanoTime()));
    }

    private Claim begin(ClaimSpec spec, Consumer<Claim> begun, long askedAt) {
        Claim claim = new Claim(newId(), spec, askedAt);
        limit.enter(claim);
        claims.put(claim.id, claim);
        if (isStopping()) {
            claims.remove(claim.id);
            claim.settled.complete(Claim.Settled.FAILED);
            throw stopped(claim);
        }
        begun.accept(claim);
        if (!cohorts.begin(claim)) {
            asking.begin(claim);
        }
        return claim;
    }

    /** Never used again. */
    private String newId() {
        return instance + ":" + sequence.incrementAndGet();
    }

    /** Gives up waiting; false: it was granted, be it at the very last moment. */
    boolean giveUp(Claim claim) {
        if (!claim.giveUp(time.nanoTime())) {
            return false;
        }
        abandon(claim);
        return true;
    }

    /** Why a claim whose time is over is not granted. */
    LockException lateFailure(Claim claim) {
        return claim.failure() != null || !claim.contended() || isUnanswered(claim)
                ? storeFailure(claim)
                : timeout(claim);
    }

    /** One that asks by itself is told just before its wait ends; those who wait together wait for different times. */
    private boolean isUnanswered(Claim claim) {
        Cohort cohort = claim.cohort();
        return cohort != null && cohort.isUnanswered(Asking.LONGEST_HEAD_START_NANOS, time.nanoTime());
    }

    /** Null: granted. */
    private @Nullable LockException await(Claim claim) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return failure(
                            claim,
                            claim.unbounded
                                    ? claim.settled.get()
                                    : time.await(claim.settled, claim.deadline - time.nanoTime()));
                } catch (InterruptedException ex) {
                    interrupted = true;
                    if (claim.manner.interruptible()) {
                        return new LockInterruptedException(claim.title, waited(claim), ex);
                    }
                }
            }
        } catch (TimeoutException ex) {
            return lateFailure(claim);
        } catch (ExecutionException ex) {
            throw new IllegalStateException("a claim settles normally, always", ex);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Why a claim that has settled so is not granted; null: it is. */
    @Nullable
    LockException failure(Claim claim, Claim.Settled settled) {
        return switch (settled) {
            case GRANTED -> null;
            case REFUSED -> timeout(claim);
            case STALLED -> stuck(claim);
            case FAILED -> isStopping() ? stopped(claim) : storeFailure(claim);
        };
    }

    private void abandon(Claim claim) {
        claim.settled.complete(Claim.Settled.FAILED);
        Cohort cohort = claim.cohort();
        if (cohort != null) {
            cohorts.left(cohort, claim);
            return;
        }
        asking.guards().remove(claim);
        if (claim.tries && !claim.isUnderWay() && !claim.isDoubtful(store.order())) {
            claims.remove(claim.id);
        } else {
            ending.end(claim);
        }
    }

    private LockTimeoutException timeout(Claim claim) {
        return new LockTimeoutException(claim.title, claim.tries ? Duration.ZERO : waited(claim), holder(claim));
    }

    /** Who is in its way, as far as is known. */
    private @Nullable LockHolder holder(Claim claim) {
        Cohort cohort = claim.cohort();
        return cohort == null ? holder(claim.names.get(0), claim.holder()) : cohort.holder(time.nanoTime());
    }

    /**
     * Who holds a lock.
     *
     * @param known who does so as far as the store knows; null: nobody
     */
    @Nullable
    LockHolder holder(LockName name, @Nullable LockHolder known) {
        return cohorts.holder(name, known);
    }

    /**
     * What is known of a lock.
     *
     * @param known as the store knows it
     * @param waiters how many of those who wait are to be named
     */
    LockState seen(LockName name, LockState known, int waiters) {
        return cohorts.seen(name, known, waiters);
    }

    private LockTimeoutException stuck(Claim claim) {
        long stalled = claim.stall == null ? 0 : claim.stall.stalledNanos(time.nanoTime());
        return LockTimeoutException.stuck(claim.title, waited(claim), holder(claim), Duration.ofNanos(stalled));
    }

    private LockStoreException storeFailure(Claim claim) {
        StoreException cause = claim.failure();
        String what = cause == null
                ? store.describe() + " has not answered within " + waited(claim).toMillis() + " ms"
                : cause.getMessage();
        return new LockStoreException(claim.title, "Lock '" + claim.title + "' could not be asked for: " + what, cause);
    }

    private static LockStoreException stopped(Claim claim) {
        return new LockStoreException(
                claim.title, "Lock '" + claim.title + "' is not granted any more: the lock template is stopping", null);
    }

    private Duration waited(Claim claim) {
        return Duration.ofNanos(time.nanoTime() - claim.askedAt);
    }

    @Override
    public void granted(List<LockName> names, String id, long token) {
        Claim claim = claims.get(id);
        if (claim != null) {
            asking.told(claim, token);
        } else {
            threads.onAsker(0, () -> ending.end(names, id));
        }
    }

    @Override
    public void handedOver(List<LockName> names, String id, long token, long sentAt) {
        Claim claim = claims.get(id);
        if (claim != null) {
            asking.handedOver(claim, token, sentAt);
        } else {
            threads.onAsker(0, () -> ending.end(names, id));
        }
    }

    @Override
    public void revoked(List<LockName> names, String id, long token) {
        Claim claim = claims.get(id);
        if (claim != null) {
            holding.revoked(claim, token);
        }
    }

    @Override
    public void listening() {
        asking.listening();
    }

    @Override
    public void freed(LockName name) {
        asking.freed(name);
    }

    @Override
    public void answerLost(LockName name) {
        asking.answerLost(name);
    }

    Releasing releasing() {
        return releasing;
    }

    Holding holding() {
        return holding;
    }

    TimeSource time() {
        return time;
    }

    EngineThreads threads() {
        return threads;
    }

    EngineSettings settings() {
        return settings;
    }

    List<String> keys(List<LockName> names) {
        return names.stream().flatMap(name -> store.keys(name).stream()).toList();
    }

    /** Claims of which the store may still know something: waiting, held, or not ended yet. */
    int openClaims() {
        // one that is not over stands for others that are counted
        return (int) claims.values().stream()
                .filter(claim -> claim.standsFor == null || claim.isOver())
                .count();
    }

    int awaitedNames() {
        return asking.guards().size();
    }

    /** Requests that wait, or that have not been answered yet. */
    int waiters() {
        return limit.count();
    }

    /** Those of {@link #waiters()} that have their place, be it in this process or in the store: whoever begins now comes later. */
    int placed() {
        return (int) claims.values().stream()
                .filter(claim -> claim.standsFor == null && !claim.tries && claim.isWaiting())
                .filter(claim -> claim.cohort() != null || claim.attempts() > 0)
                .count();
    }

    boolean isListening() {
        return !isStopping() && asking.isListening();
    }

    /** Whether new requests are refused. */
    boolean isStopping() {
        return stopping.hasBegun();
    }

    /**
     * Refuses new requests, tells those who wait, and waits for holders and for what is owed, as {@link Stopping} says. Leases
     * that are held after it are left to their holders. Whoever calls it once more waits for the same end.
     */
    void stop() {
        if (!stopping.begin()) {
            return;
        }
        try {
            // what stands for several ends with the last of them
            claims.values().stream()
                    .filter(claim -> claim.standsFor == null)
                    .forEach(claim -> claim.settled.complete(Claim.Settled.FAILED));
            stopping.await(
                    () -> claims.values().stream().anyMatch(claim -> !claim.isOver()),
                    () -> !ending.isSettled() || claims.values().stream().anyMatch(Claim::isWaitingOrEnding));
            stopping.report(holding.names());
            releasing.report();
            threads.stop();
            store.stop();
        } finally {
            stopping.finish();
        }
    }
}
