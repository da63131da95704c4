package dev.baton.lock.engine.ticket;

import dev.baton.lock.store.AcquireReply.Busy;
import org.jspecify.annotations.Nullable;

/**
 * A busy answer to an acquire.
 *
 * @param sentAt when the acquire was sent
 */
record Contention(long sentAt, Busy answer) {

    /** Returns whether a grant with this number is older than the answer. */
    boolean isOvertaken(long number) {
        return number <= answer.mark();
    }

    /** Returns the answer to the acquire that was sent later. */
    static Contention later(@Nullable Contention known, Contention fresh) {
        return known != null && known.sentAt - fresh.sentAt > 0 ? known : fresh;
    }
}
