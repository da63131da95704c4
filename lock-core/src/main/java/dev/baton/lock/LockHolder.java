package dev.baton.lock;

import java.time.Duration;

/**
 * Describes a holder of a lock as Redis knew it when it answered; by now another holder may have the lock.
 *
 * @param label the host, process id and thread of the holder, or the owner that its request named, for people:
 *     {@code web-3:4711/http-7}
 * @param owner the owner id of the holder
 * @param fencingToken the token of the grant
 * @param heldFor how long the holder had held the lock, by Redis's clock; never negative
 * @param remaining the remaining time of the lease; never negative
 * @param permits how many permits of a semaphore it has; 0 if it holds a lock
 */
public record LockHolder(
        String label, String owner, long fencingToken, Duration heldFor, Duration remaining, int permits) {

    /** Creates the holder of a lock. */
    public LockHolder(String label, String owner, long fencingToken, Duration heldFor, Duration remaining) {
        this(label, owner, fencingToken, heldFor, remaining, 0);
    }

    public LockHolder {
        label = LockNames.printable(label);
    }

    @Override
    public String toString() {
        return label + " for " + heldFor.toMillis() + " ms, " + remaining.toMillis() + " ms of its lease left";
    }
}
