package dev.baton.lock.engine.wait;

import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.WaitingCaller;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Decides how long the answer to an acquire is awaited. Pure; durations are nanoseconds. */
final class CommandBounds {

    /** The longest time before the end of a wait at which a request learns that there is no answer. */
    private static final long LONGEST_HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final long commandTimeoutNanos;

    CommandBounds(long commandTimeoutNanos) {
        this.commandTimeoutNanos = commandTimeoutNanos;
    }

    /**
     * Returns the time-out of a command. A request that asks alone learns why it gets no answer just before its wait
     * ends, not after.
     */
    long timeoutNanos(List<Ticket> asked, long now) {
        return asked.size() > 1 || asked.get(0).spec().unbounded()
                ? commandTimeoutNanos
                : boundNanos(asked.get(0).deadline() - now);
    }

    /** Returns whether it says something about the store that there was no answer for this time. */
    boolean isTelling(long nanos) {
        return nanos >= WaitPolicy.tellingNanos(commandTimeoutNanos);
    }

    /** Returns a caller as it waits for one command. */
    WaitingCaller bounded(WaitingCaller caller) {
        return new WaitingCaller(boundNanos(caller.waitNanos()), caller.interruptible());
    }

    private long boundNanos(long left) {
        long withHeadStart = left - Math.min(left / 10, LONGEST_HEAD_START_NANOS);
        return Math.max(SHORTEST_NANOS, Math.min(commandTimeoutNanos, withHeadStart));
    }
}
