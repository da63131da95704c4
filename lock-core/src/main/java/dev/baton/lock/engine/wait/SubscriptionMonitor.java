package dev.baton.lock.engine.wait;

import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.TimeSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Detects a subscription that appears active but no longer delivers messages, and has the store resubscribe. There are
 * two signs: rechecks find grants that no message announced, or the store reports that the inbox has no subscriber.
 * Thread-safe.
 */
final class SubscriptionMonitor {

    private static final int MISSED_AT_MOST = 1;
    private static final long HEARD = Long.MIN_VALUE;

    private final LockStore store;
    private final long patienceNanos;
    private final TimeSource time;
    /**
     * The number of consecutive grants that no message announced, less those that a lost answer may have announced;
     * never negative.
     */
    private final AtomicInteger missed = new AtomicInteger();
    /** The time since which the store has reported no subscriber, or {@link #HEARD} if it has not. */
    private final AtomicLong deafSince = new AtomicLong(HEARD);

    /**
     * Creates the monitor.
     *
     * @param patienceNanos the time that a client library has to subscribe again on its own
     */
    SubscriptionMonitor(LockStore store, long patienceNanos, TimeSource time) {
        this.store = store;
        this.patienceNanos = patienceNanos;
        this.time = time;
    }

    /** Returns whether waiters should not rely on messages. */
    boolean isDeaf() {
        return deafSince.get() != HEARD;
    }

    /** Records that the subscription is active, perhaps again. */
    void subscribed() {
        deafSince.set(HEARD);
    }

    /** Records that a grant was announced. */
    void told() {
        missed.set(0);
    }

    /**
     * Records a lost answer that may have announced a grant. That no message announced this grant says nothing about
     * the subscription. Lost answers that announced no grant must not add up: otherwise a dead subscription would be
     * detected that many grants later.
     */
    void answerLost() {
        missed.updateAndGet(count -> Math.max(0, count - 1));
    }

    /**
     * Handles the answer to an acquire that was sent while the subscription seemed to be active.
     *
     * @param first whether the ticket asked for the first time, so that no message can have been lost
     */
    void answered(List<Ticket> asked, AcquireReply reply, boolean first) {
        if (!first && grantedUntold(asked, reply) && missed.incrementAndGet() > MISSED_AT_MOST) {
            listenAgain();
        }
        if (!reply.unsubscribed()) {
            if (queued(asked, reply)) {
                deafSince.set(HEARD);
            }
            return;
        }
        long now = time.nanoTime();
        if (!deafSince.compareAndSet(HEARD, now) && now - deafSince.get() > patienceNanos) {
            listenAgain();
        }
    }

    /** Returns whether a request waits in the queue. Only then did the store check for a subscriber. */
    private static boolean queued(List<Ticket> asked, AcquireReply reply) {
        for (int i = 0; i < asked.size(); i++) {
            if (asked.get(i).spec().queues() && reply.answers().get(i) instanceof AcquireReply.Busy) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a message about a grant is missing. A request that polls gets none. */
    private static boolean grantedUntold(List<Ticket> asked, AcquireReply reply) {
        for (int i = 0; i < asked.size(); i++) {
            if (reply.answers().get(i) instanceof AcquireReply.Granted granted
                    && granted.again()
                    && asked.get(i).spec().polling() == null
                    && !asked.get(i).isTold()) {
                return true;
            }
        }
        return false;
    }

    private void listenAgain() {
        missed.set(0);
        deafSince.set(HEARD);
        store.listenAgain();
    }
}
