package dev.baton.lock.engine.event;

import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockListener.Ended.Reason;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.time.EngineThreads;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells listeners of one request, in the order that {@link LockListener} promises, whatever ends first. A request that enters
 * a hold has none: its story never begins.
 */
public final class Story {

    /** Of which nobody is told. */
    public static final Story SILENT = new Story(Announcements.NONE, TimeSource.SYSTEM, () -> {
        throw new IllegalStateException("nobody is told");
    });

    private enum State {
        NEW,
        ASKED,
        OVER
    }

    private static final AtomicReferenceFieldUpdater<Story, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(Story.class, State.class, "state");

    private final Announcements announcements;
    private final TimeSource time;
    private final Supplier<LockListener.Request> describing;
    private volatile State state = State.NEW;
    private volatile long askedAt;
    /** Made when the story begins: a re-entry needs none. */
    private volatile LockListener.@Nullable Request request;

    /**
     * Creates it.
     *
     * @param describing what its events say of the request; asked once, when it begins
     */
    public Story(Announcements announcements, TimeSource time, Supplier<LockListener.Request> describing) {
        this.announcements = announcements;
        this.time = time;
        this.describing = describing;
    }

    /** It is sent to the store, perhaps not for the first time. */
    public void asked() {
        if (!announcements.isHeard() || state != State.NEW) {
            return;
        }
        LockListener.Request described = describing.get();
        request = described;
        askedAt = time.nanoTime();
        if (!STATE.compareAndSet(this, State.NEW, State.ASKED)) {
            return;
        }
        announcements.tell(listener -> listener.asked(new LockListener.Asked(described)));
    }

    public void granted(long token, Entry entry) {
        if (over()) {
            LockListener.Granted event = new LockListener.Granted(
                    request(), token, entry.waited(), entry.contended(), entry.attempts(), entry.waitedFor());
            announcements.tell(listener -> listener.granted(event));
        }
    }

    /** It has entered a hold. Nobody is told unless it had been sent to the store before. */
    public void entered() {
        ended(Reason.ENTERED);
    }

    /** It is over without a grant that could be used. */
    public void failed(Throwable failure) {
        if (failure instanceof LockTimeoutException ex) {
            if (over()) {
                LockListener.TimedOut event = new LockListener.TimedOut(
                        request(), ex.getWaited(), ex.getHolder().orElse(null));
                announcements.tell(listener -> listener.timedOut(event));
            }
        } else if (failure instanceof LockDeadlockException
                && announcements.isHeard()
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
        announcements.tell(listener -> listener.ended(event));
    }

    /** The event is made only if there is a listener. */
    public void released(Function<LockListener.Request, LockListener.Released> event) {
        if (announcements.isHeard()) {
            LockListener.Released made = event.apply(request());
            announcements.tell(listener -> listener.released(made));
        }
    }

    /** Tells of a loss in one of these threads, as soon as this is complete. The event is made then. */
    public void awaitLoss(
            CompletableFuture<Void> lost, Function<LockListener.Request, LockLostEvent> event, EngineThreads threads) {
        if (announcements.isHeard()) {
            lost.thenRun(() -> threads.callBack(() -> announcements.lost(event.apply(request()))));
        }
    }

    /** It was asked for once more, with others; told in one of these threads. */
    public void rechecked(int requests, EngineThreads threads) {
        if (announcements.hasListeners()) {
            LockListener.Rechecked event = new LockListener.Rechecked(request(), requests);
            threads.callBack(() -> announcements.tell(listener -> listener.rechecked(event)));
        }
    }

    /** The scope of its locks, as its events say it; {@code unknown} as long as nobody was told of it. */
    public String scope() {
        LockListener.Request told = request;
        return told == null ? "unknown" : told.scope();
    }

    /** What its events say of it, once it has begun. */
    private LockListener.Request request() {
        return Objects.requireNonNull(request);
    }

    /** Whether it was asked for, and is over only now. */
    private boolean over() {
        return STATE.compareAndSet(this, State.ASKED, State.OVER);
    }
}
