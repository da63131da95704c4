package dev.baton.lock;

import java.time.Duration;

/**
 * Who was seen to wait for a lock.
 *
 * @param label host, process id and thread, for people: {@code web-3:4711/http-7}
 * @param owner its owner id
 * @param waitedFor how long it had been in the queue, by Redis's clock; never negative
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
