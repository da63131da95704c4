package dev.baton.lock.test;

import dev.baton.lock.LockHolder;
import dev.baton.lock.store.AcquireCommand.Request;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Who holds one lock; times in microseconds of the store's clock.
 *
 * @param id the request; empty: it has ended, and the lock is kept from others
 */
record MemoryHold(String id, long token, String owner, String label, long since, long until) {

    static MemoryHold of(Request request, long token, long now) {
        return new MemoryHold(
                request.id(), token, request.owner(), request.label(), now, now + request.leaseMillis() * 1_000);
    }

    /** At least until then. */
    MemoryHold extended(long later) {
        return new MemoryHold(id, token, owner, label, since, Math.max(until, later));
    }

    /** By nobody, at most until then. */
    MemoryHold kept(long end) {
        return new MemoryHold("", token, owner, label, since, Math.min(until, end));
    }

    LockHolder seen(long now) {
        return new LockHolder(label, owner, token, micros(now - since), micros(until - now));
    }

    private static Duration micros(long micros) {
        return Duration.of(Math.max(0, micros), ChronoUnit.MICROS);
    }
}
