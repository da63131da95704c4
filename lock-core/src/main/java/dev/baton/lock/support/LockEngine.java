package dev.baton.lock.support;

import dev.baton.lock.LockException;
import dev.baton.lock.LockInterruptedException;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Overview. One engine is one identity towards the store, from start to stop.
 *
 *    caller --> LockEngine.acquire (the one place that blocks)
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
final class LockEngine implements GrantInbox {

    private static final Logger log = LoggerFactory.getLogger(LockEngine.class);

    private static final long STOP_STEP_MILLIS = 5;

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
    private final Releasing releasing;

    private volatile boolean stopped;

    LockEngine(LockStore store, EngineSettings settings, TimeSource time) {
        this.store = store;
        this.settings = settings;
        this.time = time;
        this.threads = new EngineThreads(time);
        this.ending = new Ending(store, settings, threads, time, claim -> claims.remove(claim.id));
        this.holding =
                new Holding(threads, time, ending, onLost -> new Renewing(store, settings, threads, time, onLost));
        this.asking = new Asking(store, settings, threads, time, holding, ending);
        this.releasing = new Releasing(settings, time, holding, ending);
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
        if (Thread.currentThread().isInterrupted()) {
            throw new LockInterruptedException(
                    spec.title(), Duration.ZERO, new InterruptedException("interrupted before the lock was asked for"));
        }
        Claim claim = new Claim(instance + ":" + sequence.incrementAndGet(), spec, askedAt);
        claims.put(claim.id, claim);
        if (stopped) {
            claims.remove(claim.id);
            throw stopped(claim);
        }
        begun.accept(claim);
        asking.begin(claim);
        LockException failure = await(claim);
        if (failure == null || !claim.giveUp(time.nanoTime())) {
            // granted, be it at the very last moment
            return claim;
        }
        abandon(claim);
        throw failure;
    }

    /** Null: granted. */
    private @Nullable LockException await(Claim claim) {
        try {
            Claim.Settled settled =
                    claim.unbounded ? claim.settled.get() : time.await(claim.settled, claim.deadline - time.nanoTime());
            return switch (settled) {
                case GRANTED -> null;
                case REFUSED -> timeout(claim);
                case FAILED -> stopped ? stopped(claim) : storeFailure(claim);
            };
        } catch (TimeoutException ex) {
            return claim.failure() != null || !claim.contended() ? storeFailure(claim) : timeout(claim);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return new LockInterruptedException(claim.title, waited(claim), ex);
        } catch (ExecutionException ex) {
            throw new IllegalStateException("a claim settles normally, always", ex);
        }
    }

    private void abandon(Claim claim) {
        asking.guards().remove(claim);
        if (claim.tries && !claim.isUnderWay() && !claim.isDoubtful(store.order())) {
            claims.remove(claim.id);
        } else {
            ending.end(claim);
        }
    }

    private LockTimeoutException timeout(Claim claim) {
        return new LockTimeoutException(claim.title, claim.tries ? Duration.ZERO : waited(claim), claim.holder());
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
                claim.title,
                "Lock '" + claim.title + "' is not granted any more: the application is shutting down",
                null);
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
        return claims.size();
    }

    int awaitedNames() {
        return asking.guards().size();
    }

    /**
     * Refuses new requests, tells those who wait, and ends what is owed, for at most one command time-out. Leases are left
     * to their holders: they end by themselves.
     */
    void stop() {
        stopped = true;
        claims.values().forEach(claim -> claim.settled.complete(Claim.Settled.FAILED));
        long until = time.nanoTime() + settings.commandTimeoutNanos();
        while (isBusyEnding() && time.nanoTime() - until < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(STOP_STEP_MILLIS));
            if (Thread.currentThread().isInterrupted()) {
                break;
            }
        }
        List<String> held = holding.names();
        if (!held.isEmpty()) {
            log.warn("Stopping while {} lock(s) are held; they come free when their leases end: {}", held.size(), held);
        }
        threads.stop();
        store.stop();
    }

    private boolean isBusyEnding() {
        return !ending.isSettled() || claims.values().stream().anyMatch(Claim::isWaiting);
    }
}
