package dev.baton.lock.engine.ticket;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BooleanSupplier;

/**
 * Counts the acquires of one ticket, and knows whether one of them is under way or was given up. Thread-safe.
 */
final class CommandTracker {

    private static final AtomicIntegerFieldUpdater<CommandTracker> UNDER_WAY = counter("underWay");
    private static final AtomicIntegerFieldUpdater<CommandTracker> ATTEMPTS = counter("attempts");

    /** The number of acquires that are about to be sent, or were sent, and were neither answered nor given up. */
    private volatile int underWay;
    /** The number of all acquires that were given to the store. */
    private volatile int attempts;

    private volatile long firstSentAt;
    private volatile long lastSentAt;
    private volatile boolean sent;
    /** Whether an acquire was given up without an answer, so that it may run at any time. */
    private volatile boolean unanswered;
    /** Whether an acquire was answered with a grant, in time or not. */
    private volatile boolean granted;

    private static AtomicIntegerFieldUpdater<CommandTracker> counter(String field) {
        return AtomicIntegerFieldUpdater.newUpdater(CommandTracker.class, field);
    }

    /**
     * Counts an acquire that is about to be sent. Returns {@code false} if it must not be sent.
     *
     * @param waiting whether the ticket still waits; called when the acquire is counted already
     */
    boolean ask(BooleanSupplier waiting, long now) {
        UNDER_WAY.incrementAndGet(this);
        if (!waiting.getAsBoolean()) {
            UNDER_WAY.decrementAndGet(this);
            return false;
        }
        ATTEMPTS.incrementAndGet(this);
        lastSentAt = now;
        if (!sent) {
            firstSentAt = now;
            sent = true;
        }
        return true;
    }

    /**
     * Records that an acquire is no longer under way.
     *
     * @param doubtful whether the store may carry it out later nevertheless
     */
    void ended(boolean doubtful) {
        // in this order: an end that no longer sees the acquire under way sees the doubt
        if (doubtful) {
            unanswered = true;
        }
        UNDER_WAY.decrementAndGet(this);
    }

    /** As {@link Ticket#isDoubtful}. */
    boolean isDoubtful() {
        // in this order, because ended() writes them the other way round: one of the two is seen
        return isUnderWay() || unanswered;
    }

    /** Records an answer with a grant. The store knows also a grant that the ticket does not take. */
    void granted() {
        granted = true;
    }

    /** Returns whether an acquire was answered with a grant. */
    boolean wasGranted() {
        return granted;
    }

    private boolean isUnderWay() {
        return underWay > 0;
    }

    /** Returns whether an acquire has been under way for at least this time. */
    boolean isUnderWayFor(long nanos, long now) {
        return isUnderWay() && now - lastSentAt >= nanos;
    }

    int attempts() {
        return attempts;
    }

    /** Returns when the first acquire was sent. */
    long firstSentAt() {
        return firstSentAt;
    }
}
