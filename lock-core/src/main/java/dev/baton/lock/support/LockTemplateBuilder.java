package dev.baton.lock.support;

import dev.baton.lock.LockDurations;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockObserver;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.ReleaseMode;
import dev.baton.lock.TransactionRule;
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

/** Builds a {@link LockTemplate}; what is not set has the default of {@code application.yml}. Not thread-safe. */
public final class LockTemplateBuilder {

    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final int MOST_PASSES = 1_000;

    final LockStore store;
    TimeSource time = TimeSource.SYSTEM;

    private final Map<String, LockRequest> scopes = new HashMap<>();
    private Duration expire = Duration.ofSeconds(30);
    private Duration maxHold = Duration.ofHours(24);
    private WaitTime waitTime = WaitTime.of(Duration.ofSeconds(10));
    private Duration commandTimeout = Duration.ofSeconds(2);
    private Duration recheck = Duration.ofSeconds(1);
    private Duration patience = Duration.ofSeconds(1);
    private OnLost onLost = OnLost.THROW;
    private final List<LockListener> listeners = new ArrayList<>();
    private @Nullable ApplicationEventPublisher eventPublisher;
    private Duration shutdownAwait = Duration.ofSeconds(10);
    private int maxWaiters = 100_000;
    private Duration slowWait = Duration.ofSeconds(5);
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

    /** Length of a lease whose request names none, 30 s unless set; renewed while the holder works. */
    public LockTemplateBuilder expire(Duration expire) {
        this.expire = LockDurations.checkExpire(expire);
        return this;
    }

    /** How long after its grant a lease is renewed at the most, 24 h unless set. */
    public LockTemplateBuilder maxHold(Duration maxHold) {
        this.maxHold = LockDurations.checkExpire(maxHold);
        return this;
    }

    /** Wait time of a request that names none, 10 s unless set. */
    public LockTemplateBuilder waitTime(WaitTime waitTime) {
        this.waitTime = waitTime;
        return this;
    }

    /** Bound on one command to the store, 2 s unless set; at least 10 ms. */
    public LockTemplateBuilder commandTimeout(Duration commandTimeout) {
        this.commandTimeout = atLeast(commandTimeout, "command time-out");
        return this;
    }

    /** How often who waits asks again, 1 s unless set; at least 10 ms. The safety net for whatever no message tells. */
    public LockTemplateBuilder recheck(Duration recheck) {
        this.recheck = atLeast(recheck, "recheck");
        return this;
    }

    /**
     * For how long others may be granted one of several locks that a request waits for together, 1 s unless set. After that
     * each of them that comes free is kept for it until all are. Zero: from the beginning.
     */
    public LockTemplateBuilder patience(Duration patience) {
        if (patience.isNegative() || patience.compareTo(LockDurations.LONGEST_EXPIRE) > 0) {
            throw new IllegalArgumentException("patience of " + patience + " is out of range; use 0 to ten years");
        }
        this.patience = patience;
        return this;
    }

    /**
     * How long a stop waits for those who hold a lock, 10 s unless set; zero: not at all. Up to ten years.
     *
     * <p>Spring gives up on what takes longer than {@code spring.lifecycle.timeout-per-shutdown-phase}, 30 s, and goes on.
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
     * What happens to work whose lease is lost if its request does not say, {@link OnLost#THROW} unless set. {@link OnLost#INTERRUPT} means
     * {@code THROW} for a lease of {@code acquire}, which has no work to interrupt.
     */
    public LockTemplateBuilder onLost(OnLost onLost) {
        this.onLost = onLost;
        return this;
    }

    /** Tells one more listener; several are told in this order. */
    public LockTemplateBuilder listener(LockListener listener) {
        listeners.add(listener);
        return this;
    }

    /** Goes along with every lock that is taken; null, as unless set: nobody. */
    public LockTemplateBuilder observer(@Nullable LockObserver observer) {
        this.observer = observer;
        return this;
    }

    /**
     * What becomes of a lock of {@code execute} and {@code tryExecute} that is taken in a transaction which is already active:
     * {@code TransactionRules.of(InTransaction.RELEASE)} for instance. Null, as unless set: it is given back when the work is done.
     */
    public LockTemplateBuilder transactions(@Nullable TransactionRule transactions) {
        this.transactions = transactions;
        return this;
    }

    /** Publishes every {@link dev.baton.lock.LockLostEvent} there; null, as unless set: nowhere. */
    public LockTemplateBuilder eventPublisher(@Nullable ApplicationEventPublisher eventPublisher) {
        this.eventPublisher = eventPublisher;
        return this;
    }

    /** Where the time comes from, {@link TimeSource#SYSTEM} unless set: for tests, whose store goes by the same one. */
    public LockTemplateBuilder time(TimeSource time) {
        this.time = time;
        return this;
    }

    /**
     * How many requests may wait at the same time, 100,000 unless set; one more fails at once with
     * {@link dev.baton.lock.LockLimitException}. At least 1.
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
     * How long a request may wait before a warning says who holds the lock and how many wait for it, 5 s unless set. Zero: as
     * long as it likes. One warning per request.
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
     * How many times in a row a lock is passed on within this process, without a command, although another process may wait
     * for it; 32 unless set, up to 1,000. Zero: never, so that all requests are served in the order of their arrival, whatever
     * their process.
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
     * For how long after it was granted to this process a lock is passed on within it, 20 ms unless set; at most for a third
     * of its lease. Positive, up to ten years; what is done under the lock is never cut short.
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
     * Whether a release waits for its answer, {@link ReleaseMode#CONFIRMED} unless set. {@link ReleaseMode#PIPELINED} is refused
     * by {@link #build()} for a store that may carry out the next command before the release.
     */
    public LockTemplateBuilder release(ReleaseMode release) {
        this.release = release;
        return this;
    }

    /**
     * Where the stages of {@code acquireAsync} and {@code executeAsync} complete, a few threads of the template's own unless
     * set, which nothing that is attached to a stage may block. An executor that runs tasks in the thread which hands them over
     * lets them run in the one that reads the store's answers, and everybody waits for them; one that refuses a task leaves it to
     * the template's own threads.
     */
    public LockTemplateBuilder asyncExecutor(Executor asyncExecutor) {
        this.asyncExecutor = asyncExecutor;
        return this;
    }

    /**
     * What requests of a scope are given that they leave open: the components of this one, before those set here. An expire is
     * a limit, as it is in a request. A wait time does not make a try wait.
     *
     * @param defaults {@code LockRequest.of("server_access").expire(ofSeconds(10))}: a single lock whose key does not matter
     * @throws IllegalArgumentException if it names several locks
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
     * @throws IllegalArgumentException if the store cannot do what was set; the message names the remedy
     */
    public LockTemplate build() {
        String why = release == ReleaseMode.PIPELINED ? store.traits().confirmedOnly() : null;
        if (why != null) {
            throw new IllegalArgumentException("release pipelined cannot be used: " + why);
        }
        return LockTemplate.start(this);
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
                release == ReleaseMode.PIPELINED);
    }

    RequestDefaults defaults() {
        return new RequestDefaults(expire, waitTime, commandTimeout.toNanos(), onLost);
    }

    ScopeDefaults scopes() {
        return new ScopeDefaults(scopes);
    }

    ListenerNotifier notifier(Supplier<@Nullable LockEngine> engine) {
        List<LockListener> all = new ArrayList<>(listeners);
        all.add(new LoggingLockListener(store, time, slowWait, engine));
        return new ListenerNotifier(all, eventPublisher);
    }

    private static Duration atLeast(Duration duration, String what) {
        if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LockDurations.LONGEST_EXPIRE) > 0) {
            throw new IllegalArgumentException(what + " of " + duration + " is out of range; use 10 ms to ten years");
        }
        return duration;
    }
}
