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
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Central entry point for acquiring locks, with callbacks or as leases that the caller closes. Built by
 * {@link #builder(LockStore)}; in an application, the template is a bean.
 *
 * <p>Thread-safe. The template starts when it is built and stops with the application. On a stop, the template refuses
 * new requests, wakes the waiters, and waits for the holders ({@code baton.shutdown.await}). A lock that is held even
 * then is left to its holder, and its lease ends on its own. Started again, as after a checkpoint, the template has a
 * new identity, and earlier leases are lost.
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

    /** Guards changes of the engine; held only briefly. */
    private final ReentrantLock lifecycle = new ReentrantLock();

    private volatile @Nullable LockEngine engine;
    /** The previous engine, whose leases are lost when the next engine is started. */
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
     * Returns a builder for a template on a store. The template starts and stops the store.
     *
     * @param store the store, which is not shared with another template
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
    public Lease forceAcquire(LockRequest request) {
        LockRequest taken = RequestValidator.takeable(RequestValidator.withoutWork(request, defaults.onLost()));
        return observations.acquire(taken, acquirer::forceAcquire);
    }

    @Override
    public CompletionStage<Lease> forceAcquireAsync(LockRequest request) {
        return execution.forceAcquire(RequestValidator.takeable(request), observations.begin(request));
    }

    @Override
    public boolean isHeldByCurrentThread(LockRequest request) {
        return acquirer.isHeldByThread(request);
    }

    @Override
    public void wakeUp(LockRequest request, String condition, String owner) {
        acquirer.signal(request, condition, owner);
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

    @Override
    public LockState.Permits overrideSize(LockRequest request, int size, Duration duration) {
        return inspector.overrideSize(request, size, duration);
    }

    /**
     * Returns the operations for an operator, which identify a lock by its whole name, {@code scope.key}, as events and
     * messages do. The answers are those of {@link #inspect}, {@link #list} and {@link #forceRelease}.
     */
    public LockAdministration administration() {
        return new LockAdministration(inspector);
    }

    @Override
    public LockOperations withNamespace(String namespace) {
        return new NamespacedOperations(this, namespace(), namespace);
    }

    @Override
    public LockOperations ignoringTransactions() {
        return new IgnoringTransactions(this, executions);
    }

    /** Starts the template again after a stop. If a stop is still in progress, waits for the end of that stop. */
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
                    before.loseAll();
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
     * Refuses new requests and wakes the waiters at once. Then waits for the holders, at most
     * {@code baton.shutdown.await}. Meanwhile the holders' leases are renewed and released, and the holders may enter
     * their locks again. Nothing is released under running work: a lock that is still held afterwards is named in a
     * warning, and becomes free when its lease ends.
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

    /**
     * Works like {@link #stop()}, in a thread of its own, so that other parts of the application can stop meanwhile.
     */
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

    /** Returns whether locks are granted; {@code false} as soon as a stop has begun. */
    @Override
    public boolean isRunning() {
        LockEngine running = engine;
        return running != null && !running.isStopping();
    }

    /**
     * Returns whether waiters would currently be notified of a grant, as far as is known. If not (Redis is not reached
     * yet, or the subscription is being restored), the waiters ask once per recheck.
     */
    public boolean isListening() {
        LockEngine running = engine;
        return running != null && running.isListening();
    }

    /**
     * Returns how this template keeps locks and hands them over. Asks the server for its name and version, and waits
     * for the answer, at most the command time-out. Without an answer, the name and version are left out.
     */
    public LockCapabilities capabilities() {
        return inspector.capabilities();
    }

    /**
     * Checks that the store can serve a request with its settings. Every method that acquires locks checks this first; an
     * application that knows its requests at start-up can do so then. Asks nothing of the store.
     *
     * @throws UnservedRequestException if the store does not serve the mode or the wait strategy of the request, if the
     *     request has a polling interval and does not poll, or if it takes locks of stuck holders and has no stall time
     */
    public void checkServed(LockRequest request) {
        acquirer.checkServed(request);
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Works like {@link #stop()}. */
    @Override
    public void close() {
        stop();
    }

    /** Returns the namespace of all locks, for people; empty if there is none. */
    String namespace() {
        return store.namespace();
    }

    /** Names the namespace, if there is one, and the store, for people. */
    @Override
    public String toString() {
        return "LockTemplate[" + (namespace().isEmpty() ? "" : "namespace=" + namespace() + ", ") + "store="
                + store.describe() + "]";
    }

    /** Returns the acquirer, for tests of what is left behind. */
    LeaseAcquirer acquirer() {
        return acquirer;
    }

    /** Returns the engine, for tests of the engine itself, or {@code null} if none runs. */
    @Nullable
    public LockEngine engine() {
        return engine;
    }
}
