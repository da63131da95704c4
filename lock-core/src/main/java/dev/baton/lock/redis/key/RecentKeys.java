package dev.baton.lock.redis.key;

import dev.baton.lock.store.LockName;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The keys of locks, made once for those that were used of late: an acquisition and its release have the same, and locks are
 * often taken again. It has a fixed number of places, and who comes to a place that is taken moves in. Thread-safe.
 */
public final class RecentKeys {

    /** A power of two. */
    private static final int PLACES = 256;
    /** Of longer names nothing is kept, so that all places together take half a megabyte at the most. */
    private static final int LONGEST = 256;

    /** The keys of one lock; those of marks lack the request, which is their end. */
    public record Keys(LockName name, String lock, String queue, String waiting, String over) {}

    private final AtomicReferenceArray<@Nullable Keys> places = new AtomicReferenceArray<>(PLACES);
    private final RedisKeys keys;

    public RecentKeys(RedisKeys keys) {
        this.keys = keys;
    }

    public Keys of(LockName name) {
        int hash = name.hashCode();
        int place = (hash ^ hash >>> 16) & PLACES - 1;
        Keys known = places.get(place);
        if (known != null && known.name.equals(name)) {
            return known;
        }
        Keys made = new Keys(name, keys.lock(name), keys.queue(name), keys.waiting(name), keys.over(name, ""));
        if (name.namespace().length() + name.name().length() <= LONGEST) {
            places.set(place, made);
        }
        return made;
    }
}
