package dev.baton.lock.engine.event;

import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockListener.Ended.Reason;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the events of one request to the listeners, in the order that {@link LockListener} promises. A request that
 * enters a hold publishes nothing, because it never reaches the store. Thread-safe.
 */
public final class RequestEvents {

    /** Publishes no events. */
    public static final RequestEvents SILENT = new RequestEvents(
            ListenerNotifier.NONE,
            TimeSource.SYSTEM,
            () -> new LockListener.Request(0, "", List.of(), "unknown", "unknown", "unknown"));

    private enum State {
        NEW,
        ASKED,
        OVER
    }

    private static final AtomicReferenceFieldUpdater<RequestEvents, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(RequestEvents.class, State.class, "state");

    private static final AtomicReferenceFieldUpdater<RequestEvents, LockListener.@Nullable Request> REQUEST =
            AtomicReferenceFieldUpdater.newUpdater(RequestEvents.class, LockListener.Request.class, "request");

    private final ListenerNotifier notifier;
    private final TimeSource time;
    private final Supplier<LockListener.Request> describing;
    private volatile State state = State.NEW;
    private volatile long askedAt;
    /** Created when a listener or the log needs it: most requests of a process without listeners never do. */
    private volatile LockListener.@Nullable Request request;

    /**
     * Creates the events of one request.
     *
     * @param describing describes the request; called when the description is first needed, perhaps more than once
     */
    public RequestEvents(ListenerNotifier notifier, TimeSource time, Supplier<LockListener.Request> describing) {
        this.notifier = notifier;
        this.time = time;
        this.describing = describing;
    }

    /** Publishes that the request is sent to the store. Calls after the first have no effect. */
    public void asked() {
        if (state != State.NEW) {
            return;
        }
        askedAt = time.nanoTime();
        if (!STATE.compareAndSet(this, State.NEW, State.ASKED)) {
            return;
        }
        if (notifier.hasListeners()) {
            notifier.tell(listener -> listener.asked(new LockListener.Asked(request())));
        }
    }

    /** Publishes that the request awaits a condition, before it is sent to the store for its lock. */
    public void awaiting(String condition) {
        if (notifier.hasListeners()) {
            LockListener.Awaiting event = new LockListener.Awaiting(request(), condition);
            notifier.tell(listener -> listener.awaiting(event));
        }
    }

    /** Tells the log that the request may wait, and that its engine lists it. */
    public void waits() {
        notifier.requestLog().waits();
    }

    public void granted(long token, GrantDetails details) {
        boolean logged = notifier.requestLog().logsGrants();
        if (!over() || !logged && !notifier.hasListeners()) {
            return;
        }
        LockListener.Granted event = new LockListener.Granted(
                request(), token, details.waited(), details.contended(), details.attempts(), details.waitedFor());
        if (logged) {
            notifier.requestLog().granted(event);
        }
        notifier.tell(listener -> listener.granted(event));
    }

    /**
     * Records that the request has entered a hold. Publishes an event only if the request had been sent to the store
     * before.
     */
    public void entered() {
        ended(Reason.ENTERED);
    }

    /** Publishes that the request has ended without a usable grant. */
    public void failed(Throwable failure) {
        if (failure instanceof LockTimeoutException ex) {
            if (over() && notifier.hasListeners()) {
                LockListener.TimedOut event = new LockListener.TimedOut(
                        request(), ex.waited(), ex.holder().orElse(null));
                notifier.tell(listener -> listener.timedOut(event));
            }
        } else if (failure instanceof LockDeadlockException && STATE.compareAndSet(this, State.NEW, State.OVER)) {
            tellEnded(Reason.DEADLOCK, Duration.ZERO);
        } else {
            ended(Reason.of(failure));
        }
    }

    private void ended(Reason reason) {
        if (over()) {
            tellEnded(reason, Duration.ofNanos(Math.max(0, time.nanoTime() - askedAt)));
        }
    }

    private void tellEnded(Reason reason, Duration waited) {
        if (notifier.hasListeners()) {
            LockListener.Ended event = new LockListener.Ended(request(), reason, waited);
            notifier.tell(listener -> listener.ended(event));
        }
    }

    /** Publishes the release. The event is created only if there is a listener. */
    public void released(Function<LockListener.Request, LockListener.Released> event) {
        if (notifier.hasListeners()) {
            LockListener.Released made = event.apply(request());
            notifier.tell(listener -> listener.released(made));
        }
    }

    /** Returns whether a listener is to be notified of losses. */
    public boolean hearLosses() {
        return notifier.hearsLosses();
    }

    /**
     * Publishes a loss on one of the callback threads as soon as {@code lost} is complete. The event is created then.
     */
    public void awaitLoss(
            CompletableFuture<Void> lost,
            Function<LockListener.Request, LockLostEvent> event,
            EngineExecutors executors) {
        lost.thenRun(() -> executors.callBack(() -> notifier.lost(event.apply(request()))));
    }

    /**
     * Publishes on one of the callback threads that locks were taken from their holders for the request.
     *
     * @param stalled how long the request had seen the holder, or {@code null} if the locks were taken by force
     */
    public void stolen(List<LockHolder> from, @Nullable Duration stalled, EngineExecutors executors) {
        if (notifier.hasListeners()) {
            LockListener.Stolen event = new LockListener.Stolen(request(), from, stalled);
            executors.callBack(() -> notifier.tell(listener -> listener.stolen(event)));
        }
    }

    /** Publishes a recheck, which covered the given number of requests, on one of the callback threads. */
    public void rechecked(int requests, EngineExecutors executors) {
        if (notifier.hasListeners()) {
            LockListener.Rechecked event = new LockListener.Rechecked(request(), requests);
            executors.callBack(() -> notifier.tell(listener -> listener.rechecked(event)));
        }
    }

    /** Returns the request as its events describe it, the same each time. */
    public LockListener.Request request() {
        LockListener.Request known = request;
        if (known != null) {
            return known;
        }
        REQUEST.compareAndSet(this, null, describing.get());
        return Objects.requireNonNull(request);
    }

    /** Ends the request. Returns whether the request was sent to the store and was not over before. */
    private boolean over() {
        return STATE.compareAndSet(this, State.ASKED, State.OVER);
    }
}
