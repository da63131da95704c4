package dev.baton.lock.support;

import dev.baton.lock.LockDurations;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockObserver;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.ReleaseMode;
import dev.baton.lock.TransactionRule;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.WaitTime;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.event.ListenerNotifier;
import dev.baton.lock.engine.ticket.CohortPolicy;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Builds a {@link LockTemplate}. A value that is not set has the default of {@code application.yml}. Not thread-safe.
 */
public final class LockTemplateBuilder {

    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final int MOST_PASSES = 1_000;

    final LockStore store;
    TimeSource time = TimeSource.SYSTEM;

    private final Map<String, LockRequest> scopes = new HashMap<>();
    private Duration expire = Duration.ofSeconds(30);
    private Duration maxHold = Duration.ofHours(24);
    private WaitTime waitTime = WaitTime.of(Duration.ofSeconds(10));
    private @Nullable Duration stallTime;
    private Duration commandTimeout = Duration.ofSeconds(2);
    private Duration recheck = Duration.ofSeconds(1);
    private Duration patience = Duration.ofSeconds(1);
    private OnLost onLost = OnLost.THROW;
    private final List<LockListener> listeners = new ArrayList<>();
    private @Nullable ApplicationEventPublisher eventPublisher;
    private Duration shutdownAwait = Duration.ofSeconds(10);
    private int maxWaiters = 100_000;
    private Duration slowWait = Duration.ofSeconds(5);
    private Duration requestAfter = Duration.ofSeconds(5);
    private int cohortLimit = 32;
    private Duration cohortMaxTime = Duration.ofMillis(20);
    private ReleaseMode release = ReleaseMode.CONFIRMED;

    @Nullable
    Executor asyncExecutor;

    @Nullable
    LockObserver observer;

    @Nullable
    TransactionRule transactions;

    LockTemplateBuilder(LockStore store) {
        this.store = store;
    }

    /**
     * Sets the length of a lease whose request names none; defaults to 30 s. Such a lease is renewed while the holder
     * works.
     */
    public LockTemplateBuilder expire(Duration expire) {
        this.expire = LockDurations.checkExpire(expire);
        return this;
    }

    /** Sets for how long after its grant a lease is renewed at most; defaults to 24 h. */
    public LockTemplateBuilder maxHold(Duration maxHold) {
        this.maxHold = LockDurations.checkExpire(maxHold);
        return this;
    }

    /** Sets the wait time of a request that names none; defaults to 10 s. */
    public LockTemplateBuilder waitTime(WaitTime waitTime) {
        this.waitTime = waitTime;
        return this;
    }

    /**
     * Sets how long the same holder may keep a lock before a waiting request that names no stall time gives up, 10 ms to
     * ten years; {@code null}, the default, for no such bound. A request with a stall time asks the store on its own: no
     * lock is passed on to it within this process.
     */
    public LockTemplateBuilder stallTime(@Nullable Duration stallTime) {
        this.stallTime = stallTime == null ? null : atLeast(stallTime, "stall time");
        return this;
    }

    /** Sets the bound on one command to the store; defaults to 2 s, at least 10 ms. */
    public LockTemplateBuilder commandTimeout(Duration commandTimeout) {
        this.commandTimeout = atLeast(commandTimeout, "command time-out");
        return this;
    }

    /**
     * Sets how often a waiter asks again; defaults to 1 s, at least 10 ms. These rechecks are the safety net for
     * changes that no message reports.
     */
    public LockTemplateBuilder recheck(Duration recheck) {
        this.recheck = atLeast(recheck, "recheck");
        return this;
    }

    /**
     * Sets how long others may be granted single locks of a request that waits for several locks together; defaults to
     * 1 s. After that time, each of these locks that becomes free is kept for the request until all are free. With
     * zero, the locks are kept from the beginning.
     */
    public LockTemplateBuilder patience(Duration patience) {
        if (patience.isNegative() || patience.compareTo(LockDurations.LONGEST_EXPIRE) > 0) {
            throw new IllegalArgumentException("patience of " + patience + " is out of range; use 0 to ten years");
        }
        this.patience = patience;
        return this;
    }

    /**
     * Sets how long a stop waits for the holders; defaults to 10 s, up to ten years. Zero does not wait.
     *
     * <p>Spring waits at most {@code spring.lifecycle.timeout-per-shutdown-phase}, which defaults to 30 s, and then
     * goes on.
     */
    public LockTemplateBuilder shutdownAwait(Duration shutdownAwait) {
        if (shutdownAwait.isNegative() || shutdownAwait.compareTo(LockDurations.LONGEST_EXPIRE) > 0) {
            throw new IllegalArgumentException(
                    "shutdown await of " + shutdownAwait + " is out of range; use 0 to not wait, up to ten years");
        }
        this.shutdownAwait = shutdownAwait;
        return this;
    }

    /**
     * Sets what happens to work whose lease is lost if its request does not say; defaults to {@link OnLost#THROW}.
     * {@link OnLost#INTERRUPT} means {@code THROW} for a lease of {@code acquire}, which has no work to interrupt.
     */
    public LockTemplateBuilder onLost(OnLost onLost) {
        this.onLost = onLost;
        return this;
    }

    /** Adds a listener. Listeners are notified in the order in which they were added. */
    public LockTemplateBuilder listener(LockListener listener) {
        listeners.add(listener);
        return this;
    }

    /** Sets the observer of every lock that is acquired, or {@code null} for none. Defaults to {@code null}. */
    public LockTemplateBuilder observer(@Nullable LockObserver observer) {
        this.observer = observer;
        return this;
    }

    /**
     * Sets what happens to a lock that {@code execute} or {@code tryExecute} acquires in a transaction which is already
     * active, {@code TransactionRules.of(InTransaction.RELEASE)} for instance. Defaults to {@code null}: the lock is
     * released when the work is done.
     */
    public LockTemplateBuilder transactions(@Nullable TransactionRule transactions) {
        this.transactions = transactions;
        return this;
    }

    /**
     * Sets the publisher of every {@link dev.baton.lock.LockLostEvent}, or {@code null} for none. Defaults to
     * {@code null}.
     */
    public LockTemplateBuilder eventPublisher(@Nullable ApplicationEventPublisher eventPublisher) {
        this.eventPublisher = eventPublisher;
        return this;
    }

    /**
     * Sets the time source; defaults to {@link TimeSource#SYSTEM}. For tests, whose store uses the same time source.
     */
    public LockTemplateBuilder time(TimeSource time) {
        this.time = time;
        return this;
    }

    /**
     * Sets how many requests may wait at the same time; defaults to 100,000, at least 1. One more request fails at once
     * with {@link dev.baton.lock.LockLimitException}.
     */
    public LockTemplateBuilder maxWaiters(int maxWaiters) {
        if (maxWaiters < 1) {
            throw new IllegalArgumentException("max waiters of " + maxWaiters
                    + " is too small; let at least 1 wait, or give requests a waitTime of 0");
        }
        this.maxWaiters = maxWaiters;
        return this;
    }

    /**
     * Sets how long a request may wait before a warning names the holder and the number of waiters; defaults to 5 s.
     * Zero never warns. There is one warning per request.
     */
    public LockTemplateBuilder slowWait(Duration slowWait) {
        if (slowWait.isNegative() || slowWait.compareTo(LockDurations.LONGEST_EXPIRE) > 0) {
            throw new IllegalArgumentException(
                    "slow wait of " + slowWait + " is out of range; use 0 to never warn, up to ten years");
        }
        this.slowWait = slowWait;
        return this;
    }

    /**
     * Sets how long a request waits before the holder of its lock is notified ({@link dev.baton.lock.Lease#onRequested}),
     * and the time between two such hints; defaults to 5 s, 10 ms to ten years. With zero, this process notifies no
     * holder.
     */
    public LockTemplateBuilder requestAfter(Duration requestAfter) {
        this.requestAfter = requestAfter.isZero() ? requestAfter : atLeast(requestAfter, "request after");
        return this;
    }

    /**
     * Sets how many times in a row a lock is passed on within this process although another process may wait for the
     * lock. Such a pass needs no command. Defaults to 32; up to 1,000. With zero, no lock is passed on within the
     * process, and all requests are served in the order of their arrival, whatever their process.
     */
    public LockTemplateBuilder cohortLimit(int limit) {
        if (limit < 0 || limit > MOST_PASSES) {
            throw new IllegalArgumentException("cohort limit of " + limit
                    + " is out of range; use 0 for strict order over processes, up to " + MOST_PASSES);
        }
        this.cohortLimit = limit;
        return this;
    }

    /**
     * Sets for how long after its grant to this process a lock is passed on within the process; defaults to 20 ms. The
     * lock is passed on for at most a third of its lease. The value is positive, up to ten years. Work under the lock
     * is never cut short.
     */
    public LockTemplateBuilder cohortMaxTime(Duration maxTime) {
        if (maxTime.isNegative() || maxTime.isZero() || maxTime.compareTo(LockDurations.LONGEST_EXPIRE) > 0) {
            throw new IllegalArgumentException("cohort max time of " + maxTime
                    + " is out of range; use more than 0, up to ten years, or a cohort limit of 0 to turn it off");
        }
        this.cohortMaxTime = maxTime;
        return this;
    }

    /**
     * Sets whether a release waits for its answer; defaults to {@link ReleaseMode#CONFIRMED}. {@link #build()} rejects
     * {@link ReleaseMode#PIPELINED} for a store that may carry out the next command before the release.
     */
    public LockTemplateBuilder release(ReleaseMode release) {
        this.release = release;
        return this;
    }

    /**
     * Sets the executor on which the stages of {@code acquireAsync} and {@code executeAsync} complete. Defaults to a
     * few threads of the template's own, which actions attached to a stage must not block. An executor that runs tasks
     * in the submitting thread runs them in the thread that reads the store's answers. All callers then wait for these
     * tasks. A task that the executor rejects runs on the template's own threads.
     */
    public LockTemplateBuilder asyncExecutor(Executor asyncExecutor) {
        this.asyncExecutor = asyncExecutor;
        return this;
    }

    /**
     * Sets the defaults of a scope. A request of the scope takes what it leaves open from the given request, and only
     * then from this builder. An expire is a limit, as in a request. A wait time does not make a try wait.
     *
     * @param defaults a request for a single lock whose key does not matter:
     *     {@code LockRequest.of("server_access").expire(ofSeconds(10))}
     * @throws IllegalArgumentException if the request names several locks
     */
    public LockTemplateBuilder scope(LockRequest defaults) {
        if (defaults.targets().size() > 1) {
            throw new IllegalArgumentException(
                    "defaults of a scope for '" + defaults.title() + "' name several locks; give them a scope only");
        }
        scopes.put(defaults.targets().get(0).scope(), defaults);
        return this;
    }

    /**
     * Builds the template and starts it, without waiting for the store.
     *
     * @throws IllegalArgumentException if the store does not support a value that was set; the message names the remedy
     */
    public LockTemplate build() {
        String why = release == ReleaseMode.PIPELINED ? store.traits().confirmedOnly() : null;
        if (why != null) {
            throw new IllegalArgumentException("release pipelined cannot be used: " + why);
        }
        scopes.values().forEach(this::checkServed);
        return LockTemplate.start(this);
    }

    private void checkServed(LockRequest scope) {
        WaitStrategy own = scope.waitStrategy();
        RequestValidator.checkWait(
                scope,
                own == null ? store.traits().waitStrategy() : own,
                store.traits(),
                () -> "scope '" + scope.targets().get(0).scope() + "'");
        RequestValidator.checkExpire(
                scope,
                expire,
                store.traits().longestExpire(),
                () -> "scope '" + scope.targets().get(0).scope() + "'");
        RequestValidator.checkOnStuck(
                scope, stallTime, () -> "scope '" + scope.targets().get(0).scope() + "'");
    }

    EngineSettings settings() {
        return new EngineSettings(
                commandTimeout.toNanos(),
                recheck,
                maxHold.toNanos(),
                patience.toMillis(),
                maxWaiters,
                shutdownAwait.toNanos(),
                new CohortPolicy(cohortLimit, cohortMaxTime.toNanos()),
                release == ReleaseMode.PIPELINED,
                requestAfter.toNanos());
    }

    RequestDefaults defaults() {
        return new RequestDefaults(expire, waitTime, stallTime, commandTimeout.toNanos(), onLost, store.traits());
    }

    ScopeDefaults scopes() {
        return new ScopeDefaults(scopes);
    }

    ListenerNotifier notifier(Supplier<@Nullable LockEngine> engine) {
        return new ListenerNotifier(listeners, eventPublisher, new LoggingRequestLog(store, time, slowWait, engine));
    }

    private static Duration atLeast(Duration duration, String what) {
        if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LockDurations.LONGEST_EXPIRE) > 0) {
            throw new IllegalArgumentException(what + " of " + duration + " is out of range; use 10 ms to ten years");
        }
        return duration;
    }
}
