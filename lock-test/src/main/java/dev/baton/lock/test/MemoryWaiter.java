package dev.baton.lock.test;

import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.LockName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A waiter, as of its last request; times in microseconds of the store's clock.
 *
 * @param deadline the time when the waiter gives up, or 0 for never
 * @param alive the time until which the waiter counts as alive without a further request
 * @param asks the time by which a polling waiter asks again, or 0 if the waiter is notified of a grant
 * @param arrival the place in the queues
 */
record MemoryWaiter(
        Request request, List<LockName> names, String instance, long deadline, long alive, long asks, long arrival) {

    String id() {
        return request.id();
    }

    /**
     * Returns whether this waiter is behind the other. If the arrivals are equal, the waiter with the greater id is
     * behind, as in a sorted set.
     */
    boolean isAfter(MemoryWaiter other) {
        return arrival > other.arrival || arrival == other.arrival && id().compareTo(other.id()) > 0;
    }

    /**
     * Returns whether the waiter polls and its next request is not overdue, so that it needs no notification. An
     * overdue waiter may be dead.
     */
    boolean polls(long now) {
        return now <= asks;
    }

    /**
     * Returns whether the answer to a command of the given process reports a grant to this waiter.
     *
     * @param process the process that reads the answer, or {@code null} if no answer reports grants
     */
    boolean isReader(@Nullable String process) {
        return names.size() == 1 && instance.equals(process);
    }

    boolean isLate(long now) {
        return deadline != 0 && deadline <= now;
    }

    /**
     * Returns whether other waiters may be granted a free name before this waiter. A waiter for a single name is never
     * passed.
     */
    boolean mayBePassed(long now) {
        return names.size() > 1 && now < arrival + request.passMillis() * 1_000;
    }
}
