package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitTime;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Takes locks: by callback, or as a lease to be closed. Built by {@link #builder(LockStore)}; in an application it is a bean.
 *
 * <p>Thread-safe. Starts when it is built and stops with the application: it then refuses new requests, wakes those who
 * wait, and leaves held locks to their holders. Started again, it has a new identity, and leases of before are lost.
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

    private volatile @Nullable LockEngine engine;

    private LockTemplate(LockTemplateBuilder builder) {
        this.store = builder.store;
        this.settings = builder.settings();
        this.defaults = builder.defaults();
        this.time = builder.time;
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
        return acquire(request, defaults.waitTime());
    }

    @Override
    public Optional<Lease> tryAcquire(LockRequest request) {
        try {
            return Optional.of(acquire(request, WaitTime.none()));
        } catch (LockTimeoutException ex) {
            return Optional.empty();
        }
    }

    @Override
    public LockOperations withNamespace(String namespace) {
        return new NamespacedOperations(this, namespace);
    }

    private static <T extends @Nullable Object, E extends Exception> T callWith(
            LeaseHandle lease, LockCallback<T, E> action) throws E {
        T result;
        try {
            result = LockContext.callWith(lease, action);
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
        List<LockName> names = names(request);
        LockEngine running = engine;
        if (running == null) {
            throw new LockStoreException(
                    request.name(), "Lock '" + request.name() + "' is not granted: the lock template is stopped", null);
        }
        String owner = Identity.owner(running.instance(), Thread.currentThread());
        Hold known = holds.find(owner, names);
        if (known != null) {
            if (!request.reentrant()) {
                throw new LockDeadlockException(request.name(), owner);
            }
            if (known.enter()) {
                return reenter(running, known, request, names);
            }
        }
        Claim claim = running.acquire(defaults.spec(request, names, owner, label(), waitTime));
        return granted(running, claim);
    }

    private static List<LockName> names(LockRequest request) {
        LockRequestSupport.check(request);
        String namespace = request.namespace() == null ? "" : request.namespace();
        return request.names().stream()
                .distinct()
                .sorted()
                .map(name -> new LockName(namespace, name))
                .toList();
    }

    private LeaseHandle granted(LockEngine running, Claim claim) {
        Hold hold = new Hold(claim);
        holds.add(hold);
        Grant grant = claim.lastGrant();
        Duration waited = Duration.ofNanos(grant.grantedAt - claim.askedAt);
        LeaseHandle lease =
                new LeaseHandle(running, hold, grant, waited, claim.contended(), left -> leave(running, left));
        if (!lease.isHeld()) {
            // a pause has outlasted it: no work must begin
            lease.release();
            throw lease.lost(null);
        }
        return lease;
    }

    private LeaseHandle reenter(LockEngine running, Hold hold, LockRequest request, List<LockName> names) {
        LeaseHandle lease = new LeaseHandle(
                running, hold, hold.claim.lastGrant(), Duration.ZERO, false, left -> leave(running, left));
        try {
            if (!lease.isHeld()) {
                // said once: a lost lease that nobody closes must not bar its thread from the lock for ever
                holds.remove(hold);
                throw lease.lost(null);
            }
            if (!hold.covers(names)) {
                throw new LockDeadlockException(request.name(), lease.owner(), hold.claim.title);
            }
            lease.ensure(defaults.leaseNanos(request), hold.claim.renewed && request.expire() == null);
        } catch (RuntimeException ex) {
            lease.release();
            throw ex;
        }
        return lease;
    }

    /** Whether it was ours until now; gives the lock back if that was the last entry. */
    private boolean leave(LockEngine running, Hold hold) {
        if (hold.leave()) {
            holds.remove(hold);
            return running.releasing().release(hold.claim);
        }
        Grant grant = hold.claim.grant();
        return grant != null && !running.holding().isLost(hold.claim, grant, time.nanoTime());
    }

    private String label() {
        return identity.label(Thread.currentThread());
    }

    @Override
    public void start() {
        if (engine == null) {
            LockEngine fresh = new LockEngine(store, settings, time);
            fresh.start();
            engine = fresh;
        }
    }

    @Override
    public void stop() {
        LockEngine stopping = engine;
        engine = null;
        if (stopping != null) {
            stopping.stop();
        }
    }

    @Override
    public boolean isRunning() {
        return engine != null;
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
    record LockDefaults(Duration expire, WaitTime waitTime, long commandTimeoutNanos) {

        private static final Duration LONGEST_WAIT = Duration.ofDays(36500);

        long leaseNanos(LockRequest request) {
            Duration own = request.expire();
            return (own == null ? expire : own).toNanos();
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
                            : min(wait.duration(), LONGEST_WAIT).toNanos();
            return new ClaimSpec(
                    names, owner, label, leaseNanos(request), renewed, waitNanos, wait.isUnbounded(), wait.isNone());
        }

        private static Duration min(Duration one, Duration other) {
            return one.compareTo(other) < 0 ? one : other;
        }
    }
}
