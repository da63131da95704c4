package dev.baton.lock.test;

import dev.baton.lock.store.LockName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of one lock name. Times in microseconds of the store's clock. */
final class MemoryRow {

    final LockName name;
    private final List<MemoryWaiter> queue = new ArrayList<>();
    private @Nullable MemoryHold hold;
    /** The time of the last request of any waiter; 0 if there are no waiters. */
    private long seen;

    private long queueUntil;

    MemoryRow(LockName name) {
        this.name = name;
    }

    /** Removes what has expired by now. */
    void expire(long now) {
        if (hold != null && hold.until() <= now) {
            hold = null;
        }
        if (queueUntil <= now) {
            queue.clear();
        }
        forgetIfWithoutWaiters();
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

    /**
     * Returns whether no other request holds the lock. A request for several locks may still hold some of them after
     * losing the others.
     */
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

    /** Adds the waiter to the queue, or updates the waiter if it is already in the queue. */
    void join(MemoryWaiter waiter, long now, long keepMicros) {
        int place = 0;
        while (place < queue.size() && !queue.get(place).id().equals(waiter.id())) {
            place++;
        }
        if (place < queue.size()) {
            queue.set(place, waiter);
        } else {
            // a waiter for several names may have lost its place in this queue only: it gets its old place back
            queue.add((int) queue.stream().filter(waiter::isAfter).count(), waiter);
        }
        seen = now;
        queueUntil = Math.max(queueUntil, now + keepMicros);
    }

    void remove(String id) {
        queue.removeIf(waiter -> waiter.id().equals(id));
        forgetIfWithoutWaiters();
    }

    private void forgetIfWithoutWaiters() {
        if (queue.isEmpty()) {
            seen = 0;
            queueUntil = 0;
        }
    }

    /** Returns whether the waiter was silent for too long, measured at the time of the last request of any waiter. */
    boolean isSilent(MemoryWaiter waiter) {
        return seen != 0 && waiter.alive() < seen;
    }

    boolean isEmpty() {
        return hold == null && queue.isEmpty();
    }
}
