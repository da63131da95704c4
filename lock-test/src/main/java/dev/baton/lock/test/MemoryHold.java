package dev.baton.lock.test;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockPermits;
import dev.baton.lock.store.AcquireCommand.Request;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The hold of one lock; times in microseconds of the store's clock.
 *
 * @param id the id of the request, or empty if the request has ended and the lock is kept from others
 * @param permits the permits of a semaphore, or {@code null} if this is the hold of a lock
 * @param signalled whether the request was signalled at a condition
 */
record MemoryHold(
        String id,
        long token,
        String owner,
        String label,
        long since,
        long until,
        @Nullable LockPermits permits,
        boolean signalled) {

    static MemoryHold of(Request request, long token, long now) {
        return new MemoryHold(
                request.id(),
                token,
                request.owner(),
                request.label(),
                now,
                now + request.leaseMillis() * 1_000,
                request.permits(),
                !request.condition().isEmpty());
    }

    /** Returns this hold, extended at least until the given time. */
    MemoryHold extended(long later) {
        return new MemoryHold(id, token, owner, label, since, Math.max(until, later), permits, signalled);
    }

    /**
     * Returns this hold without a holder, at most until the given time.
     *
     * @param unused the id of the hold, which no request has
     */
    MemoryHold kept(String unused, long end) {
        return new MemoryHold(unused, token, owner, label, since, Math.min(until, end), permits, signalled);
    }

    /** Returns this hold with another token. */
    MemoryHold with(long other) {
        return new MemoryHold(id, other, owner, label, since, until, permits, signalled);
    }

    /** Returns how many permits of a semaphore are held; 0 for a lock. */
    int count() {
        return permits == null ? 0 : permits.count();
    }

    LockHolder seen(long now) {
        return new LockHolder(label, owner, token, micros(now - since), micros(until - now), count());
    }

    private static Duration micros(long micros) {
        return Duration.of(Math.max(0, micros), ChronoUnit.MICROS);
    }
}
