package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockHolder;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the same holder has kept a lock for too long while a request waits. Pure; times are those of our own
 * monotonic clock.
 *
 * <p>The stall time begins when the request first sees a grant, known by its token, and begins again with every other
 * grant. Only an acquire that was sent at the end of the stall time, or later, decides: the holder may have changed since
 * an earlier answer.
 */
final class StallPolicy {

    /**
     * The grant that a request has seen in its way.
     *
     * @param since when the grant was first seen
     * @param askedAt when the acquire was sent whose answer showed the grant last
     */
    record Seen(long token, long since, long askedAt) {}

    private final long stallNanos;

    StallPolicy(long stallNanos) {
        this.stallNanos = stallNanos;
    }

    /**
     * Returns what is known after another answer.
     *
     * @param last what was known before the answer, or {@code null} if no holder was known
     * @param holder the holder that the answer names, or {@code null} if there is none
     * @param askedAt when the acquire was sent that was answered
     */
    @Nullable
    Seen next(@Nullable Seen last, @Nullable LockHolder holder, long askedAt, long now) {
        if (last != null && last.askedAt - askedAt > 0) {
            return last;
        }
        if (holder == null) {
            return null;
        }
        long token = holder.fencingToken();
        return new Seen(token, last != null && last.token == token ? last.since : now, askedAt);
    }

    boolean isStuck(@Nullable Seen seen) {
        return seen != null && seen.askedAt - due(seen) >= 0;
    }

    /** Returns when to ask whether the holder is still the same. */
    long due(Seen seen) {
        return seen.since + stallNanos;
    }
}
