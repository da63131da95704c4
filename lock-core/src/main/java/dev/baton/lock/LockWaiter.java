package dev.baton.lock;

import java.time.Duration;

/**
 * Describes a waiter that was seen in the queue of a lock.
 *
 * @param label the host, process id and thread of the waiter, for people: {@code web-3:4711/http-7}
 * @param owner the owner id of the waiter
 * @param waitedFor how long the waiter had been in the queue, by Redis's clock; never negative
 */
public record LockWaiter(String label, String owner, Duration waitedFor) {

    public LockWaiter {
        label = LockNames.printable(label);
    }

    @Override
    public String toString() {
        return label + " for " + waitedFor.toMillis() + " ms";
    }
}
