package dev.baton.lock.support;

import dev.baton.lock.LockObserver;
import dev.baton.lock.OnLost;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What goes along with a lease that is in somebody else's hands: told once that it is over, by whichever ends it. What the observer
 * throws is logged only, for the lease must reach its owner, and the store. Thread-safe.
 */
final class LeaseObservation {

    private static final Logger log = LoggerFactory.getLogger(LeaseObservation.class);
    private static final LockObserver.Scope NOTHING = () -> {};

    private final LockObserver.Execution execution;
    private final AtomicBoolean over = new AtomicBoolean();
    /** What the work has failed with; written by whoever does it. */
    private volatile @Nullable Throwable failure;
    /** What its hold is to do if it is lost; null until there is a lease. */
    private volatile @Nullable Runnable onLoss;

    LeaseObservation(LockObserver.Execution execution) {
        this.execution = execution;
    }

    /** For the thread that is about to wait. What it opens or closes fails nothing: a lease that nobody is given stays held. */
    LockObserver.Scope openWait() {
        try {
            LockObserver.Scope opened = execution.open();
            return () -> guarded(opened::close);
        } catch (RuntimeException | Error ex) {
            log.error("The observer of locks failed", ex);
            return NOTHING;
        }
    }

    /** To be called before the lease is in anybody's hands. */
    void granted(DefaultLease lease) {
        guarded(() -> execution.granted(lease));
        lease.observed(this);
    }

    /** Has this done if the hold is lost, until it is forgotten: a hold may be entered, and left, any number of times. */
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

    /** Makes it the thread's current one; nothing once it is over. */
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
     * It is over; what comes later is not told.
     *
     * @param why null: it was released in time
     */
    void ended(@Nullable Throwable why) {
        if (over.compareAndSet(false, true)) {
            Throwable thrown = failure;
            guarded(() -> execution.ended(thrown == null ? why : thrown));
        }
    }

    /** Its lease was lost. */
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
