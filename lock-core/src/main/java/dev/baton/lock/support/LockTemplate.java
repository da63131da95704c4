package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockAsyncCallback;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockCapabilities;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockState;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.lease.LeaseRenewer;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.TimeSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
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
    private final RequestDefaults defaults;
    private final TimeSource time;
    private final @Nullable Executor asyncExecutor;
    private final LeaseAcquirer acquirer;
    private final Executions executions;
    private final AsyncExecution execution;
    private final ObservationSupport observations;
    private final LockInspector inspector;

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
        this.asyncExecutor = builder.asyncExecutor;
        this.observations = new ObservationSupport(builder.observer);
        this.acquirer = new LeaseAcquirer(builder, observations, () -> engine);
        this.executions = new Executions(acquirer, observations, defaults, builder.transactions);
        this.execution = new AsyncExecution(acquirer);
        this.inspector = new LockInspector(store, settings, () -> engine);
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
        return executions.execute(request, action);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> LockResult<T> tryExecute(
            LockRequest request, LockCallback<T, E> action) throws E {
        return executions.tryExecute(request, action);
    }

    @Override
    public Lease acquire(LockRequest request) {
        return observations.acquire(RequestValidator.withoutWork(request, defaults.onLost()), acquirer::acquire);
    }

    @Override
    public Optional<Lease> tryAcquire(LockRequest request) {
        try {
            return Optional.of(observations.acquire(
                    RequestValidator.withoutWork(request, defaults.onLost()), acquirer::tryAcquire));
        } catch (LockTimeoutException ex) {
            return Optional.empty();
        }
    }

    @Override
    public boolean isHeldByCurrentThread(LockRequest request) {
        return acquirer.isHeldByThread(request);
    }

    @Override
    public CompletionStage<Lease> acquireAsync(LockRequest request) {
        return execution.acquire(request, observations.begin(request));
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> executeAsync(
            LockRequest request, LockAsyncCallback<T> work) {
        return observations.executeAsync(request, work, execution);
    }

    @Override
    public LockState inspect(LockRequest request) {
        return inspector.inspect(request);
    }

    @Override
    public boolean isLocked(LockRequest request) {
        return inspector.isLocked(request);
    }

    @Override
    public Stream<LockState> list(String pattern, @Nullable String namespace) {
        return inspector.list(pattern, namespace);
    }

    @Override
    public boolean forceRelease(LockRequest request) {
        return inspector.forceRelease(request);
    }

    /**
     * What an operator asks for, who knows a lock by its name: the whole name, {@code scope.key}, as events and messages have it.
     * Answers are those of {@link #inspect}, {@link #list} and {@link #forceRelease}.
     */
    public LockAdministration administration() {
        return new LockAdministration(inspector);
    }

    @Override
    public LockOperations withNamespace(String namespace) {
        return new NamespacedOperations(this, namespace);
    }

    @Override
    public LockOperations ignoringTransactions() {
        return new IgnoringTransactions(this, executions);
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
                    before.leases().lostAll(LeaseRenewer.RESTARTED);
                    stopped = null;
                }
                LockEngine fresh = new LockEngine(store, settings, time, asyncExecutor);
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
        return inspector.capabilities();
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

    /** For tests of what is left behind. */
    LeaseAcquirer acquirer() {
        return acquirer;
    }

    /** For tests of the engine itself. */
    @Nullable
    public LockEngine engine() {
        return engine;
    }
}
