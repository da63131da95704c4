package dev.baton.lock.cache;

import java.util.List;

/**
 * Creates the key of a lock from the key of a cache entry.
 *
 * <p>Implementations must return equal parts for equal keys in every process. Different keys may have the same parts.
 * Their loaders then wait for each other, which is the only effect.
 */
@FunctionalInterface
public interface CacheKeyParts {

    /**
     * Returns the parts of the lock's key; no parts mean {@code global}.
     *
     * @param cacheName the name of the cache
     * @param key the key of the entry
     * @return the parts, as {@link dev.baton.lock.LockKeyPart} accepts them
     * @throws IllegalArgumentException if the key cannot name a lock
     */
    List<?> parts(String cacheName, Object key);

    /**
     * Returns the default conversion.
     *
     * <ul>
     *   <li>A value that {@link dev.baton.lock.LockKeyPart} accepts is one part: text, a number, a boolean, an enum
     *       constant, a UUID, a date, time or duration of {@code java.time}, an object with {@code lockKey()},
     *       {@code getId()} or a record's {@code id()}.
     *   <li>A {@code SimpleKey}, which Spring creates from all parameters of a method, has one part per parameter;
     *       without parameters, the key is {@code global}. An array or a {@code List} has one part per element.
     *   <li>A null, blank text and an empty list among these values are {@code (null)}, {@code (blank)} and
     *       {@code (empty)}.
     *   <li>Everything else is rejected, because its text may differ between two processes.
     * </ul>
     */
    static CacheKeyParts standard() {
        return StandardKeyParts::of;
    }
}
