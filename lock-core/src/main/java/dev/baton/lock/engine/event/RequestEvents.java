package dev.baton.lock.engine.event;

import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockListener.Ended.Reason;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
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
    public static final RequestEvents SILENT = new RequestEvents(ListenerNotifier.NONE, TimeSource.SYSTEM, () -> {
        throw new IllegalStateException("publishes no events");
    });

    private enum State {
        NEW,
        ASKED,
        OVER
    }

    private static final AtomicReferenceFieldUpdater<RequestEvents, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(RequestEvents.class, State.class, "state");

    private final ListenerNotifier notifier;
    private final TimeSource time;
    private final Supplier<LockListener.Request> describing;
    private volatile State state = State.NEW;
    private volatile long askedAt;
    /** Created with the first event; a re-entry needs none. */
    private volatile LockListener.@Nullable Request request;

    /**
     * Creates the events of one request.
     *
     * @param describing describes the request; called before the first event
     */
    public RequestEvents(ListenerNotifier notifier, TimeSource time, Supplier<LockListener.Request> describing) {
        this.notifier = notifier;
        this.time = time;
        this.describing = describing;
    }

    /** Publishes that the request is sent to the store. Calls after the first have no effect. */
    public void asked() {
        if (!notifier.isHeard() || state != State.NEW) {
            return;
        }
        LockListener.Request described = describing.get();
        request = described;
        askedAt = time.nanoTime();
        if (!STATE.compareAndSet(this, State.NEW, State.ASKED)) {
            return;
        }
        notifier.tell(listener -> listener.asked(new LockListener.Asked(described)));
    }

    public void granted(long token, GrantDetails details) {
        if (over()) {
            LockListener.Granted event = new LockListener.Granted(
                    request(), token, details.waited(), details.contended(), details.attempts(), details.waitedFor());
            notifier.tell(listener -> listener.granted(event));
        }
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
            if (over()) {
                LockListener.TimedOut event = new LockListener.TimedOut(
                        request(), ex.getWaited(), ex.getHolder().orElse(null));
                notifier.tell(listener -> listener.timedOut(event));
            }
        } else if (failure instanceof LockDeadlockException
                && notifier.isHeard()
                && STATE.compareAndSet(this, State.NEW, State.OVER)) {
            tellEnded(describing.get(), Reason.DEADLOCK, Duration.ZERO);
        } else {
            ended(Reason.of(failure));
        }
    }

    private void ended(Reason reason) {
        if (over()) {
            tellEnded(request(), reason, Duration.ofNanos(Math.max(0, time.nanoTime() - askedAt)));
        }
    }

    private void tellEnded(LockListener.Request whose, Reason reason, Duration waited) {
        LockListener.Ended event = new LockListener.Ended(whose, reason, waited);
        notifier.tell(listener -> listener.ended(event));
    }

    /** Publishes the release. The event is created only if there is a listener. */
    public void released(Function<LockListener.Request, LockListener.Released> event) {
        if (notifier.isHeard()) {
            LockListener.Released made = event.apply(request());
            notifier.tell(listener -> listener.released(made));
        }
    }

    /**
     * Publishes a loss on one of the callback threads as soon as {@code lost} is complete. The event is created then.
     */
    public void awaitLoss(
            CompletableFuture<Void> lost,
            Function<LockListener.Request, LockLostEvent> event,
            EngineExecutors executors) {
        if (notifier.isHeard()) {
            lost.thenRun(() -> executors.callBack(() -> notifier.lost(event.apply(request()))));
        }
    }

    /** Publishes a recheck, which covered the given number of requests, on one of the callback threads. */
    public void rechecked(int requests, EngineExecutors executors) {
        if (notifier.hasListeners()) {
            LockListener.Rechecked event = new LockListener.Rechecked(request(), requests);
            executors.callBack(() -> notifier.tell(listener -> listener.rechecked(event)));
        }
    }

    /** Returns the scope that the events name, or {@code unknown} if no event has been published yet. */
    public String scope() {
        LockListener.Request told = request;
        return told == null ? "unknown" : told.scope();
    }

    /** Returns the request as its events describe it; only after {@link #asked}. */
    private LockListener.Request request() {
        return Objects.requireNonNull(request);
    }

    /** Ends the request. Returns whether the request was sent to the store and was not over before. */
    private boolean over() {
        return STATE.compareAndSet(this, State.ASKED, State.OVER);
    }
}
