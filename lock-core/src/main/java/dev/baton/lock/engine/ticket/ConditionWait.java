package dev.baton.lock.engine.ticket;

import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply.Awaited;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/*
 *    AWAITS ----signalled, as the store says----> SIGNALLED --+
 *       |                                                     +--> the ticket is an ordinary waiter
 *       +-------told to ask, or the place was lost-> ASKS ----+
 *
 * Only an answer of the store decides, and it decides once: a signal and a time-out that meet have one winner.
 */
/** The wait of a ticket at a condition, before it asks for its lock. Thread-safe. */
public final class ConditionWait {

    /** Completed once, when the store has said how the ticket came to leave the condition; never with AWAITS. */
    public final CompletableFuture<Awaited> left = new CompletableFuture<>();

    private final String condition;
    private volatile boolean awaits = true;

    public ConditionWait(String condition) {
        this.condition = condition;
    }

    /** Returns whether the ticket still awaits the condition, as far as is known. */
    public boolean isAwaiting() {
        return awaits && !left.isDone();
    }

    /** From now on, the acquires of the ticket ask for its lock. */
    public void stop() {
        awaits = false;
    }

    /** Applies what the store says, or nothing if it says nothing. */
    public void said(@Nullable Awaited what) {
        if (what != null && what != Awaited.AWAITS) {
            left.complete(what);
        }
    }

    /** Returns the request of an acquire. */
    Request describe(Request request) {
        return request.at(condition, awaits);
    }

    /** Returns the request of an end. If no caller took the lock, a signal is passed on. */
    Request describeEnd(Request request, boolean taken) {
        return request.at(taken ? "" : condition, false);
    }
}
