package dev.baton.lock.redis.key;

import dev.baton.lock.store.LockName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Caches the keys of recently used locks, as they are sent: an acquisition and its release use the same keys, and locks
 * are often acquired again. The number of places is fixed, and a lock replaces the previous one in its place.
 * Thread-safe.
 */
public final class RecentKeys {

    /** A power of two. */
    private static final int PLACES = 256;
    /** Longer names are not cached, so that all places together take less than a megabyte. */
    private static final int LONGEST = 256;

    /**
     * The keys of one lock.
     *
     * @param fence the key that counts the tokens
     * @param over what the key of every mark begins with; the id of a request follows
     */
    @SuppressWarnings("ArrayRecordComponent") // sent as they are; keys are never compared
    public record Keys(LockName name, byte[] lock, byte[] queue, byte[] waiting, byte[] fence, byte[] over) {

        /** Returns the key of the mark of a request. */
        public byte[] over(byte[] id) {
            byte[] key = Arrays.copyOf(over, over.length + id.length);
            System.arraycopy(id, 0, key, over.length, id.length);
            return key;
        }
    }

    private final AtomicReferenceArray<@Nullable Keys> places = new AtomicReferenceArray<>(PLACES);
    private final RedisKeys keys;
    private final KeyPlacement placement;

    public RecentKeys(RedisKeys keys, KeyPlacement placement) {
        this.keys = keys;
        this.placement = placement;
    }

    public Keys of(LockName name) {
        int hash = name.hashCode();
        int place = (hash ^ hash >>> 16) & PLACES - 1;
        Keys known = places.get(place);
        if (known != null && known.name.equals(name)) {
            return known;
        }
        Keys made = new Keys(
                name,
                bytes(keys.lock(name)),
                bytes(keys.queue(name)),
                bytes(keys.waiting(name)),
                bytes(placement.fence(keys, name)),
                bytes(keys.over(name, "")));
        if (name.namespace().length() + name.name().length() <= LONGEST) {
            places.set(place, made);
        }
        return made;
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
