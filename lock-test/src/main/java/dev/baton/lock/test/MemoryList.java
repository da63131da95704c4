package dev.baton.lock.test;

import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.LockName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests that await one condition of a lock, by arrival; times in microseconds of the store's clock. */
final class MemoryList {

    private final List<MemoryWaiter> waiters = new ArrayList<>();
    private long until;

    /** Adds a request behind all others. */
    void add(Request request, List<LockName> names, String instance, long now) {
        long last = waiters.isEmpty() ? 0 : waiters.get(waiters.size() - 1).arrival();
        waiters.add(new MemoryWaiter(request, names, instance, Math.max(now, last + 1)));
    }

    /** Returns a request, or {@code null} if it is not in the list. */
    @Nullable
    MemoryWaiter waiter(String id) {
        return waiters.stream()
                .filter(waiter -> waiter.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    List<MemoryWaiter> waiters() {
        return List.copyOf(waiters);
    }

    /** Removes a request. Returns whether it was in the list. */
    boolean remove(String id) {
        return waiters.removeIf(waiter -> waiter.id().equals(id));
    }

    void keepUntil(long later) {
        until = Math.max(until, later);
    }

    /** Returns whether the list is of no use any more. */
    boolean isOver(long now) {
        return waiters.isEmpty() || until <= now;
    }
}
