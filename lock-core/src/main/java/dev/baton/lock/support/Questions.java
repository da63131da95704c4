package dev.baton.lock.support;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** The acquires of one claim: which are being given to the store, under way, or given up. Thread-safe. */
final class Questions {

    /** Acquires that are just being given to the store. */
    private final AtomicInteger sending = new AtomicInteger();
    /** Acquires given to the store, and neither answered nor given up. */
    private final AtomicInteger underWay = new AtomicInteger();
    /** Acquires given to the store in all. */
    private final AtomicInteger attempts = new AtomicInteger();

    private volatile long firstSentAt;
    private volatile long lastSentAt;
    private volatile boolean sent;
    /** What the store's order was when the last acquire was given to it. */
    private volatile long order;
    /** An acquire was given up without an answer: it may run at any time. */
    private volatile boolean unanswered;

    /**
     * Before an acquire is sent. False: it must not be.
     *
     * @param waiting whether its claim still waits; looked at when the acquire is counted already
     */
    boolean ask(BooleanSupplier waiting, long now, long orderNow) {
        sending.incrementAndGet();
        boolean another = underWay.getAndIncrement() > 0;
        if (!waiting.getAsBoolean()) {
            underWay.decrementAndGet();
            sending.decrementAndGet();
            return false;
        }
        if (another && order != orderNow) {
            unanswered = true;
        }
        order = orderNow;
        attempts.incrementAndGet();
        lastSentAt = now;
        if (!sent) {
            firstSentAt = now;
            sent = true;
        }
        return true;
    }

    /** The store has been given the acquire. */
    void asked() {
        sending.decrementAndGet();
    }

    /**
     * An acquire is under way no more.
     *
     * @param doubtful whether it may be carried out later all the same
     */
    void ended(boolean doubtful) {
        underWay.decrementAndGet();
        if (doubtful) {
            unanswered = true;
        }
    }

    /** As {@link Claim#isDoubtful}. What is answered was given to the store, although its sender may not have said so yet. */
    boolean isDoubtful(long orderNow) {
        return unanswered || isUnderWay() && (sending.get() > 0 || order != orderNow);
    }

    boolean isUnderWay() {
        return underWay.get() > 0;
    }

    /** Whether one has been under way for at least so long. */
    boolean isUnderWayFor(long nanos, long now) {
        return isUnderWay() && now - lastSentAt >= nanos;
    }

    /** Whether none was given to the store, nor will be; of a claim that waits no more. */
    boolean isNone() {
        // in this order: who sends counts the attempt before it is sent
        return sending.get() == 0 && attempts.get() == 0;
    }

    int attempts() {
        return attempts.get();
    }

    /** When the first was sent. */
    long firstSentAt() {
        return firstSentAt;
    }
}
