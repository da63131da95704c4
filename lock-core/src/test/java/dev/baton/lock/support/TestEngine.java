package dev.baton.lock.support;

import dev.baton.lock.LockHolder;
import dev.baton.lock.OnLost;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.event.GrantDetails;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.CohortPolicy;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.time.LeaseClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** An engine with a fake store and a manual clock. Its threads are real, so timers fire in real time. */
public final class TestEngine implements AutoCloseable {

    public static final List<LockName> NAME = List.of(new LockName("", "server_access.42"));

    /** Settings without a recheck or renewal limit within the time of a test. */
    public static final EngineSettings CALM = settings(Duration.ofHours(1), Duration.ofDays(1));

    public final ManualTime time = new ManualTime();
    public final FakeLockStore store = new FakeLockStore();
    public final LockEngine engine;

    private final ExecutorService callers = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        return thread;
    });

    public TestEngine() {
        this(CALM);
    }

    public TestEngine(EngineSettings settings) {
        engine = new LockEngine(store, settings, time);
        engine.start();
    }

    public static EngineSettings settings(Duration recheck, Duration maxHold) {
        return new EngineSettings(Duration.ofSeconds(2).toNanos(), recheck, maxHold.toNanos(), 1_000);
    }

    /** Returns {@link #CALM} with a cohort. */
    public static EngineSettings cohort(int limit, Duration maxTime) {
        CohortPolicy policy = new CohortPolicy(limit, maxTime.toNanos());
        return new EngineSettings(
                Duration.ofSeconds(2).toNanos(),
                Duration.ofHours(1),
                Duration.ofDays(1).toNanos(),
                1_000,
                10,
                0,
                policy);
    }

    /** Returns the specification of a caller that waits for up to a minute. */
    public static AcquisitionSpec waits(Duration lease) {
        return spec(lease, false, Duration.ofMinutes(1), false);
    }

    /** Returns {@link #waits} with a renewed lease. */
    public static AcquisitionSpec renewed(Duration lease) {
        return spec(lease, true, Duration.ofMinutes(1), false);
    }

    public static AcquisitionSpec tries(Duration lease) {
        return spec(lease, false, Duration.ofSeconds(2), true);
    }

    public static AcquisitionSpec spec(Duration lease, boolean renewed, Duration wait, boolean tries) {
        return spec(NAME, lease, renewed, wait, tries, RequestEvents.SILENT);
    }

    public static AcquisitionSpec spec(
            List<LockName> names, Duration lease, boolean renewed, Duration wait, boolean tries, RequestEvents events) {
        return new AcquisitionSpec(
                names,
                "i:t7",
                "web-3:4711/http-7",
                lease.toNanos(),
                renewed,
                wait.toNanos(),
                false,
                tries,
                true,
                0,
                null,
                null,
                events);
    }

    /** Returns {@link #waits} with these events. */
    public static AcquisitionSpec announced(Duration lease, RequestEvents events) {
        return spec(NAME, lease, false, Duration.ofMinutes(1), false, events);
    }

    /** Returns the same request with another way to wait. */
    public static AcquisitionSpec waiting(
            AcquisitionSpec spec, boolean interruptible, Duration stall, @Nullable Duration recheck) {
        return new AcquisitionSpec(
                spec.names(),
                spec.owner(),
                spec.label(),
                spec.leaseNanos(),
                spec.renewed(),
                spec.waitNanos(),
                spec.unbounded(),
                spec.tries(),
                interruptible,
                stall.toNanos(),
                recheck,
                spec.polling(),
                spec.events());
    }

    /** Returns the same request, which polls with this interval. */
    public static AcquisitionSpec polling(AcquisitionSpec spec, Duration interval) {
        return new AcquisitionSpec(
                spec.names(),
                spec.owner(),
                spec.label(),
                spec.leaseNanos(),
                spec.renewed(),
                spec.waitNanos(),
                spec.unbounded(),
                spec.tries(),
                spec.interruptible(),
                spec.stallNanos(),
                spec.recheck(),
                interval,
                spec.events());
    }

    /** Returns the ticket with the id {@code i:1}, the only ticket of its acquisition. */
    public static Ticket ticket(AcquisitionSpec spec, long now) {
        return acquisition(spec, now).ticket();
    }

    /** Returns an acquisition with a ticket of its own, which has the id {@code i:1}. */
    public static Acquisition acquisition(AcquisitionSpec spec, long now) {
        RequestRegistry registry = new RequestRegistry("i", Integer.MAX_VALUE);
        Acquisition acquisition = new Acquisition(spec, now, registry);
        registry.add(acquisition);
        registry.ticket(acquisition);
        return acquisition;
    }

    /** Acquires in a thread of its own. The future has the result of the caller. */
    public CompletableFuture<Acquisition> acquire(AcquisitionSpec spec) {
        return CompletableFuture.supplyAsync(() -> engine.acquire(spec), callers);
    }

    /** Returns an acquisition that was granted at once. */
    public Acquisition hold(AcquisitionSpec spec, long token) {
        CompletableFuture<Acquisition> acquisition = acquire(spec);
        store.nextAcquire().answer(granted(token));
        return get(acquisition);
    }

    public DefaultLease lease(Acquisition acquisition) {
        ReentrantHold hold = new ReentrantHold(new ReentrantHold.Key("t7", acquisition.names()), acquisition);
        return new DefaultLease(
                engine,
                hold,
                ReentrantHold.Entry.WRITER,
                acquisition.lastGrant(),
                new GrantDetails(Duration.ZERO, false, acquisition.attempts(), OnLost.THROW, null),
                new HoldReleaser(new HoldRegistry(), time),
                expire -> Optional.empty(),
                (lease, name) -> {
                    throw new UnsupportedOperationException("no conditions in these tests");
                });
    }

    /** Returns when the engine has run all tasks that were due at once. */
    public void settle() {
        CountDownLatch done = new CountDownLatch(1);
        engine.executors().onAsker(0, () -> engine.executors().onAsker(0, done::countDown));
        try {
            if (!done.await(5, TimeUnit.SECONDS)) {
                throw new AssertionError("the asker thread of the engine is busy for 5 s");
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while the engine settles", ex);
        }
    }

    /**
     * Returns how long a lease counts by the local clock: less the time for drift, rounding and notifying the holder.
     */
    public static Duration usable(Duration lease) {
        return Duration.ofNanos(LeaseClock.end(0, lease.toNanos()));
    }

    public static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(5, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", ex);
        } catch (ExecutionException ex) {
            throw new AssertionError("failed: " + ex.getCause(), ex.getCause());
        } catch (TimeoutException ex) {
            throw new AssertionError("not done within 5 s", ex);
        }
    }

    public static AcquireReply reply(AcquireReply.Answer... answers) {
        return new AcquireReply(false, List.of(answers), false, false);
    }

    /** Returns a grant. Tokens after this token are reserved if it is even. */
    public static AcquireReply granted(long token) {
        return reply(new Granted(token, false));
    }

    /** Returns a grant of before, which no message has announced. */
    public static AcquireReply grantedBefore(long token) {
        return reply(new Granted(token, true));
    }

    public static AcquireReply busy(long mark) {
        return busy(mark, Duration.ofHours(1));
    }

    public static AcquireReply busy(long mark, Duration remaining) {
        return reply(busyAnswer(mark, remaining));
    }

    public static Busy busyAnswer(long mark, Duration remaining) {
        return new Busy(new LockHolder("web-1:1/main", "j:t1", mark, Duration.ZERO, remaining), mark);
    }

    public static EndReply ended(EndReply.Role was) {
        return new EndReply(was, List.of(), false, false);
    }

    public static StoreException passing() {
        return new StoreException("Redis at localhost:1 has not answered within 2000 ms", true, null);
    }

    /** Returns a failure after which the command never runs. */
    public static StoreException notReady() {
        return new StoreException(
                "Redis at localhost:1 refused acquire.lua: READONLY. Connect to the primary", true, true, null);
    }

    public static StoreException refusal() {
        return new StoreException("Redis at localhost:1 refused: NOPERM", false, null);
    }

    /** Stops only the executors: a stop of the engine would await pending ends on a clock that does not advance. */
    @Override
    public void close() {
        engine.executors().stop();
        callers.shutdownNow();
    }
}
