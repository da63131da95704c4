package dev.baton.lock.engine.wait;

import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.TimeSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Detects a subscription that appears active but no longer delivers messages, and has the store resubscribe. There are two signs:
 * rechecks find grants that no message announced, or the store reports that the inbox has no subscriber. Thread-safe.
 */
final class SubscriptionMonitor {

    private static final int MISSED_AT_MOST = 1;
    private static final long HEARD = Long.MIN_VALUE;

    private final LockStore store;
    private final long patienceNanos;
    private final TimeSource time;
    /** Grants in a row of which no message told, less those of which an answer may have told that was lost; never negative. */
    private final AtomicInteger missed = new AtomicInteger();
    /** Since when the store has been saying that nobody subscribes. */
    private final AtomicLong deafSince = new AtomicLong(HEARD);

    /**
     * Creates it.
     *
     * @param patienceNanos how long a client library is given to subscribe again by itself
     */
    SubscriptionMonitor(LockStore store, long patienceNanos, TimeSource time) {
        this.store = store;
        this.patienceNanos = patienceNanos;
        this.time = time;
    }

    /** Whether who waits should not count on being told. */
    boolean isDeaf() {
        return deafSince.get() != HEARD;
    }

    /** The subscription stands, perhaps again. */
    void subscribed() {
        deafSince.set(HEARD);
    }

    /** A grant was told. */
    void told() {
        missed.set(0);
    }

    /**
     * An answer was lost that may have told of a grant: that no message told of one says nothing of the subscription. Those that told
     * of none must not add up, or it would take as many grants more to notice that the process is deaf.
     */
    void answerLost() {
        missed.updateAndGet(count -> Math.max(0, count - 1));
    }

    /**
     * An acquire was answered that was sent while the subscription seemed to stand.
     *
     * @param first whether the claim asked for the first time, so that no message can have been lost
     */
    void answered(List<Claim> asked, AcquireReply reply, boolean first) {
        if (!first && grantedUntold(asked, reply) && missed.incrementAndGet() > MISSED_AT_MOST) {
            listenAnew();
        }
        if (!reply.unsubscribed()) {
            if (queued(asked, reply)) {
                deafSince.set(HEARD);
            }
            return;
        }
        long now = time.nanoTime();
        if (!deafSince.compareAndSet(HEARD, now) && now - deafSince.get() > patienceNanos) {
            listenAnew();
        }
    }

    /** Only where somebody waits did the store look whether anybody listens. */
    private static boolean queued(List<Claim> asked, AcquireReply reply) {
        for (int i = 0; i < asked.size(); i++) {
            if (!asked.get(i).tries && reply.answers().get(i) instanceof AcquireReply.Busy) {
                return true;
            }
        }
        return false;
    }

    private static boolean grantedUntold(List<Claim> asked, AcquireReply reply) {
        for (int i = 0; i < asked.size(); i++) {
            if (reply.answers().get(i) instanceof AcquireReply.Granted granted
                    && granted.again()
                    && !asked.get(i).isTold()) {
                return true;
            }
        }
        return false;
    }

    private void listenAnew() {
        missed.set(0);
        deafSince.set(HEARD);
        store.listenAnew();
    }
}
