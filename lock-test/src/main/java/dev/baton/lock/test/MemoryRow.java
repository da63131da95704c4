package dev.baton.lock.test;

import dev.baton.lock.store.LockName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is kept of one lock name. Times in microseconds of the store's clock. */
final class MemoryRow {

    final LockName name;
    private final List<MemoryWaiter> queue = new ArrayList<>();
    private @Nullable MemoryHold hold;
    /** When somebody last asked who waits; 0: nobody waits. */
    private long seen;

    private long queueUntil;

    MemoryRow(LockName name) {
        this.name = name;
    }

    /** What is over by now is gone. */
    void expire(long now) {
        if (hold != null && hold.until() <= now) {
            hold = null;
        }
        if (queueUntil <= now) {
            queue.clear();
        }
        forgetIfNobodyWaits();
    }

    @Nullable
    MemoryHold hold() {
        return hold;
    }

    void hold(@Nullable MemoryHold next) {
        hold = next;
    }

    boolean isFree() {
        return hold == null;
    }

    /** Whether nobody else holds it: of several one may hold a part, the others having been lost. */
    boolean isOpenTo(String id) {
        return hold == null || hold.id().equals(id);
    }

    boolean isHeldBy(String id) {
        return hold != null && hold.id().equals(id);
    }

    List<MemoryWaiter> queue() {
        return queue;
    }

    @Nullable
    MemoryWaiter waiter(String id) {
        return queue.stream()
                .filter(waiter -> waiter.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    long lastArrival() {
        return queue.isEmpty() ? 0 : queue.get(queue.size() - 1).arrival();
    }

    /** Joins, or says again that it is there. */
    void join(MemoryWaiter waiter, long now, long keepMicros) {
        int place = 0;
        while (place < queue.size() && !queue.get(place).id().equals(waiter.id())) {
            place++;
        }
        if (place < queue.size()) {
            queue.set(place, waiter);
        } else {
            // one of several names may have lost its place in this queue only: it has its old one again
            queue.add((int) queue.stream().filter(waiter::isAfter).count(), waiter);
        }
        seen = now;
        queueUntil = Math.max(queueUntil, now + keepMicros);
    }

    void remove(String id) {
        queue.removeIf(waiter -> waiter.id().equals(id));
        forgetIfNobodyWaits();
    }

    private void forgetIfNobodyWaits() {
        if (queue.isEmpty()) {
            seen = 0;
            queueUntil = 0;
        }
    }

    /** Whether nothing was heard of it for so long, measured against the last one that asked. */
    boolean isSilent(MemoryWaiter waiter) {
        return seen != 0 && waiter.alive() < seen;
    }

    boolean isEmpty() {
        return hold == null && queue.isEmpty();
    }
}
