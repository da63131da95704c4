package dev.baton.lock.engine.ticket;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BooleanSupplier;

/**
 * The acquires of one claim: which are being given to the store, under way, or given up. Thread-safe. Its counts are fields, not
 * objects: there is one of it per waiter.
 */
public final class CommandTracker {

    private static final AtomicIntegerFieldUpdater<CommandTracker> SENDING = counter("sending");
    private static final AtomicIntegerFieldUpdater<CommandTracker> UNDER_WAY = counter("underWay");
    private static final AtomicIntegerFieldUpdater<CommandTracker> ATTEMPTS = counter("attempts");

    /** Acquires that are just being given to the store. */
    private volatile int sending;
    /** Acquires given to the store, and neither answered nor given up. */
    private volatile int underWay;
    /** Acquires given to the store in all. */
    private volatile int attempts;

    private volatile long firstSentAt;
    private volatile long lastSentAt;
    private volatile boolean sent;
    /** What the store's order was when the last acquire was given to it. */
    private volatile long order;
    /** An acquire was given up without an answer: it may run at any time. */
    private volatile boolean unanswered;
    /** An acquire was answered with a grant, in time or not. */
    private volatile boolean granted;

    private static AtomicIntegerFieldUpdater<CommandTracker> counter(String field) {
        return AtomicIntegerFieldUpdater.newUpdater(CommandTracker.class, field);
    }

    /**
     * Before an acquire is sent. False: it must not be.
     *
     * @param waiting whether its claim still waits; looked at when the acquire is counted already
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

    /** The store has been given the acquire. */
    void asked() {
        SENDING.decrementAndGet(this);
    }

    /**
     * An acquire is under way no more.
     *
     * @param doubtful whether it may be carried out later all the same
     */
    void ended(boolean doubtful) {
        UNDER_WAY.decrementAndGet(this);
        if (doubtful) {
            unanswered = true;
        }
    }

    /** As {@link Claim#isDoubtful}. What is answered was given to the store, although its sender may not have said so yet. */
    boolean isDoubtful(long orderNow) {
        return unanswered || isUnderWay() && (sending > 0 || order != orderNow);
    }

    /** An acquire was answered with a grant: also one that its claim does not take is known to the store. */
    void granted() {
        granted = true;
    }

    /** Whether one may have been granted, or may be: answered so, unanswered, or under way. */
    boolean isUncertain() {
        return isUnderWay() || unanswered || granted;
    }

    boolean isUnderWay() {
        return underWay > 0;
    }

    /** Whether one has been under way for at least so long. */
    boolean isUnderWayFor(long nanos, long now) {
        return isUnderWay() && now - lastSentAt >= nanos;
    }

    int attempts() {
        return attempts;
    }

    /** When the first was sent. */
    long firstSentAt() {
        return firstSentAt;
    }
}
