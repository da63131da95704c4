package dev.baton.lock.support;

import dev.baton.lock.LockObserver;
import dev.baton.lock.OnLost;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes a lease that a caller acquires and releases. The observer is notified once that the lease is over, whatever
 * ends the lease. Exceptions of the observer are only logged while the lease is acquired and ended, because the lease must
 * reach its owner, and the store.
 * Thread-safe.
 */
final class LeaseObservation {

    private static final Logger log = LoggerFactory.getLogger(LeaseObservation.class);
    private static final LockObserver.Scope NOTHING = () -> {};

    private final LockObserver.Execution execution;
    private final AtomicBoolean over = new AtomicBoolean();
    /** The failure of the work; written by the thread that does the work. */
    private volatile @Nullable Throwable failure;
    /** The action of the hold if it is lost; {@code null} until there is a lease. */
    private volatile @Nullable Runnable onLoss;

    LeaseObservation(LockObserver.Execution execution) {
        this.execution = execution;
    }

    /**
     * Opens the scope of the thread that is about to wait. An exception on opening or closing is only logged: a lease
     * that does not reach its caller would stay held.
     */
    LockObserver.Scope openWait() {
        try {
            LockObserver.Scope opened = execution.open();
            return () -> guarded(opened::close);
        } catch (RuntimeException | Error ex) {
            log.error("The observer of locks failed", ex);
            return NOTHING;
        }
    }

    /** Begins to observe the lease. To be called before the caller gets the lease. */
    void granted(DefaultLease lease) {
        guarded(() -> execution.granted(lease));
        lease.observed(this);
    }

    /**
     * Has the action run if the hold is lost, until {@link #forget} is called: a hold may be entered and left any
     * number of times.
     */
    void watch(ReentrantHold hold, Runnable action) {
        onLoss = action;
        hold.onLoss(action);
    }

    void forget(ReentrantHold hold) {
        Runnable known = onLoss;
        if (known != null) {
            hold.noMore(known);
        }
    }

    /** Makes the observation the thread's current one. Does nothing once the observation is over. */
    LockObserver.Scope open() {
        if (over.get()) {
            return NOTHING;
        }
        LockObserver.Scope opened = execution.open();
        return new LockObserver.Scope() {
            @Override
            public void failed(Throwable thrown) {
                failure = thrown;
            }

            @Override
            public void close() {
                opened.close();
            }
        };
    }

    /**
     * Ends the observation. Later calls have no effect.
     *
     * @param why the failure, or {@code null} if the lease was released in time, or its loss is only logged
     */
    void ended(@Nullable Throwable why) {
        if (over.compareAndSet(false, true)) {
            Throwable thrown = failure;
            guarded(() -> execution.ended(thrown == null ? why : thrown));
        }
    }

    /** Ends the observation after the loss of its lease. */
    void lost(DefaultLease lease, OnLost onLost) {
        ended(onLost == OnLost.LOG ? null : lease.lost(null));
    }

    private static void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error ex) {
            log.error("The observer of locks failed", ex);
        }
    }
}
