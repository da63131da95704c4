package dev.baton.lock.test;

import dev.baton.lock.LockHolder;
import dev.baton.lock.store.AcquireCommand.Request;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The hold of one lock; times in microseconds of the store's clock.
 *
 * @param id the id of the request, or empty if the request has ended and the lock is kept from others
 * @param signalled whether the request was signalled at a condition
 */
record MemoryHold(String id, long token, String owner, String label, long since, long until, boolean signalled) {

    static MemoryHold of(Request request, long token, long now) {
        return new MemoryHold(
                request.id(),
                token,
                request.owner(),
                request.label(),
                now,
                now + request.leaseMillis() * 1_000,
                !request.condition().isEmpty());
    }

    /** Returns this hold, extended at least until the given time. */
    MemoryHold extended(long later) {
        return new MemoryHold(id, token, owner, label, since, Math.max(until, later), signalled);
    }

    /**
     * Returns this hold without a holder, at most until the given time.
     *
     * @param unused the id of the hold, which no request has
     */
    MemoryHold kept(String unused, long end) {
        return new MemoryHold(unused, token, owner, label, since, Math.min(until, end), signalled);
    }

    /** Returns this hold with another token. */
    MemoryHold with(long other) {
        return new MemoryHold(id, other, owner, label, since, until, signalled);
    }

    LockHolder seen(long now) {
        return new LockHolder(label, owner, token, micros(now - since), micros(until - now));
    }

    private static Duration micros(long micros) {
        return Duration.of(Math.max(0, micros), ChronoUnit.MICROS);
    }
}
