package dev.baton.lock.test;

import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.LockName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who waits, as it last asked; times in microseconds of the store's clock.
 *
 * @param deadline when it gives up; 0: never
 * @param alive until when it counts as alive without a word
 * @param asks by when it asks again, if it is not told of a grant; 0: it is told
 * @param arrival its place in the queues
 */
record MemoryWaiter(
        Request request, List<LockName> names, String instance, long deadline, long alive, long asks, long arrival) {

    String id() {
        return request.id();
    }

    /** Whether it stands behind the other; of two with one arrival the greater id does, as in a sorted set. */
    boolean isAfter(MemoryWaiter other) {
        return arrival > other.arrival || arrival == other.arrival && id().compareTo(other.id()) > 0;
    }

    /** Whether it asks again in time, and need not be told. One that did not may be gone. */
    boolean polls(long now) {
        return now <= asks;
    }

    /** Whether the answer to a command of that process tells it of a grant of its lock; null: no answer does. */
    boolean isReader(@Nullable String process) {
        return names.size() == 1 && instance.equals(process);
    }

    boolean isLate(long now) {
        return deadline != 0 && deadline <= now;
    }

    /** Whether others may be granted a free name before it; one for a single name is never passed. */
    boolean mayBePassed(long now) {
        return names.size() > 1 && now < arrival + request.passMillis() * 1_000;
    }
}
