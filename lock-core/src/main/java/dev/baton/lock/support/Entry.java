package dev.baton.lock.support;

import dev.baton.lock.LockHolder;
import dev.baton.lock.OnLost;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a lease came to be, and what its loss does.
 *
 * @param waited zero for a re-entry
 * @param attempts acquires sent for it; zero for a re-entry
 * @param waitedFor who was last seen to hold one of its locks; null: nobody
 */
record Entry(
        Duration waited,
        boolean contended,
        int attempts,
        OnLost onLost,
        @Nullable LockHolder waitedFor) {

    static Entry granted(Claim claim, Grant grant, OnLost onLost) {
        Duration waited = Duration.ofNanos(grant.grantedAt - claim.askedAt);
        // a message tells of a hand-over, and may overtake the answer that somebody else holds the lock
        boolean contended = claim.contended() || claim.carrier().isTold();
        return new Entry(waited, contended, claim.attempts(), onLost, claim.waitedFor());
    }

    static Entry again(OnLost onLost) {
        return new Entry(Duration.ZERO, false, 0, onLost, null);
    }
}
