package dev.baton.lock.redis.key;

import dev.baton.lock.store.LockName;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Caches the keys of recently used locks: an acquisition and its release use the same keys, and locks are often
 * acquired again. The number of places is fixed, and a lock replaces the previous one in its place. Thread-safe.
 */
public final class RecentKeys {

    /** A power of two. */
    private static final int PLACES = 256;
    /** Longer names are not cached, so that all places together take at most half a megabyte. */
    private static final int LONGEST = 256;

    /** The keys of one lock. The key of a mark lacks the request id at its end. */
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
