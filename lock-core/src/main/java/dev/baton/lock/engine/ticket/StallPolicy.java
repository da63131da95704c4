package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockHolder;
import org.jspecify.annotations.Nullable;

/**
 * Whether the same holder has kept a lock for too long while a request waits. Pure; times are those of our own monotonic
 * clock.
 *
 * <p>The clock starts when the request first sees a grant, known by its token, and starts again with every other one. Only an
 * answer to what was asked at the end of the stall time, or later, decides: the holder may have changed since the last one.
 */
final class StallPolicy {

    /**
     * The grant that a request has seen in its way.
     *
     * @param since when it was first seen
     * @param askedAt when the acquire was sent whose answer told of it last
     */
    record Seen(long token, long since, long askedAt) {}

    private final long stallNanos;

    StallPolicy(long stallNanos) {
        this.stallNanos = stallNanos;
    }

    /**
     * What is known after another answer.
     *
     * @param last what was known before it; null: of no holder
     * @param holder who holds the lock by that answer; null: nobody
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

    /** When it is to be asked whether the holder is still the same. */
    long due(Seen seen) {
        return seen.since + stallNanos;
    }
}
