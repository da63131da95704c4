package dev.baton.lock.test;

import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.LockName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A waiter, which never changes; times in microseconds of the store's clock.
 *
 * @param request the request; the kind is that of its first command
 * @param arrival the place in the queues
 */
record MemoryWaiter(Request request, List<LockName> names, String instance, long arrival) {

    String id() {
        return request.id();
    }

    /** Returns whether a queue finds this waiter by such a request: one that was signalled is found as such only. */
    boolean isDescribedBy(@Nullable Request other) {
        return request.condition().isEmpty()
                || other != null && other.condition().equals(request.condition());
    }

    /** Returns the same waiter at another place. */
    MemoryWaiter at(long other) {
        return new MemoryWaiter(request, names, instance, other);
    }

    /**
     * Returns whether this waiter is behind the other. If the arrivals are equal, the waiter with the greater id is
     * behind, as in a sorted set.
     */
    boolean isAfter(MemoryWaiter other) {
        return arrival > other.arrival || arrival == other.arrival && id().compareTo(other.id()) > 0;
    }

    /**
     * Returns whether the answer to a command of the given process reports a grant to this waiter. A reader is notified
     * by a message.
     *
     * @param process the process that reads the answer, or {@code null} if no answer reports grants
     */
    boolean isReader(@Nullable String process) {
        return names.size() == 1 && request.shared().isEmpty() && instance.equals(process);
    }

    /**
     * Returns whether no reader may pass this waiter while a name is shared, even if the waiter cannot be notified.
     *
     * @param name the shared name
     */
    boolean keepsReadersOut(LockName name, long now) {
        return !request.shared().contains(name) && !mayBePassed(now);
    }

    boolean isLate(long now) {
        return request.patienceMillis() >= 0 && arrival + request.patienceMillis() * 1_000 <= now;
    }

    /**
     * Returns whether other waiters may be granted a free name before this waiter, because it has not waited for long. A
     * waiter for a single lock is never passed.
     */
    boolean mayBePassed(long now) {
        boolean passable = (names.size() > 1 || request.permits() != null) && request.passMillis() > 0;
        // an arrival may be ahead of the clock
        return passable && now < arrival + request.passMillis() * 1_000;
    }
}
