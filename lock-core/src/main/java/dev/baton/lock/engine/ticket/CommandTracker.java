package dev.baton.lock.engine.ticket;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BooleanSupplier;

/**
 * Counts the acquires of one ticket: those that are being given to the store, are under way, or were given up. Thread-safe.
 */
final class CommandTracker {

    private static final AtomicIntegerFieldUpdater<CommandTracker> SENDING = counter("sending");
    private static final AtomicIntegerFieldUpdater<CommandTracker> UNDER_WAY = counter("underWay");
    private static final AtomicIntegerFieldUpdater<CommandTracker> ATTEMPTS = counter("attempts");

    /** The number of acquires that are being given to the store at this moment. */
    private volatile int sending;
    /** The number of acquires that were given to the store, and neither answered nor given up. */
    private volatile int underWay;
    /** The number of all acquires that were given to the store. */
    private volatile int attempts;

    private volatile long firstSentAt;
    private volatile long lastSentAt;
    private volatile boolean sent;
    /** The order of the store when the last acquire was given to it. */
    private volatile long order;
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
    boolean ask(BooleanSupplier waiting, long now, long orderNow) {
        SENDING.incrementAndGet(this);
        boolean another = UNDER_WAY.getAndIncrement(this) > 0;
        if (!waiting.getAsBoolean()) {
            UNDER_WAY.decrementAndGet(this);
            SENDING.decrementAndGet(this);
            return false;
        }
        if (another && order != orderNow) {
            unanswered = true;
        }
        order = orderNow;
        ATTEMPTS.incrementAndGet(this);
        lastSentAt = now;
        if (!sent) {
            firstSentAt = now;
            sent = true;
        }
        return true;
    }

    /** Records that the store has been given the acquire. */
    void asked() {
        SENDING.decrementAndGet(this);
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

    /**
     * As {@link Ticket#isDoubtful}. An acquire that was answered was given to the store, although its sender may not have
     * recorded this yet.
     */
    boolean isDoubtful(long orderNow) {
        // in this order, because ended() writes them the other way round: one of the two is seen
        boolean underWayNow = isUnderWay();
        return unanswered || underWayNow && (sending > 0 || order != orderNow);
    }

    /** Records an answer with a grant. The store knows also a grant that the ticket does not take. */
    void granted() {
        granted = true;
    }

    /** Returns whether an acquire may have been granted, or may be granted later. */
    boolean isUncertain() {
        return isUnderWay() || unanswered || granted;
    }

    boolean isUnderWay() {
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
