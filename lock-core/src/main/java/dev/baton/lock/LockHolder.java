package dev.baton.lock;

import java.time.Duration;

/**
 * Who was seen to hold a lock, as Redis knew it when it answered; by now another may hold it.
 *
 * @param label host, process id and thread of the holder, or the owner that its request named, for people:
 *     {@code web-3:4711/http-7}
 * @param owner its owner id
 * @param fencingToken the token of its grant
 * @param heldFor how long it had held the lock, by Redis's clock; never negative
 * @param remaining what was left of its lease; never negative
 */
public record LockHolder(String label, String owner, long fencingToken, Duration heldFor, Duration remaining) {

    public LockHolder {
        label = LockNames.printable(label);
    }

    @Override
    public String toString() {
        return label + " for " + heldFor.toMillis() + " ms, " + remaining.toMillis() + " ms of its lease left";
    }
}
