package dev.baton.lock.cache;

import java.util.List;

/**
 * Makes the key of a lock from the key of a cache entry.
 *
 * <p>Must give equal parts for equal keys in every process. Different keys may have the same parts: their loaders then
 * wait for each other, and nothing worse.
 */
@FunctionalInterface
public interface CacheKeyParts {

    /**
     * Returns the parts of the lock's key; empty stands for {@code global}.
     *
     * @param cacheName which cache
     * @param key the key of the entry
     * @return parts as {@link dev.baton.lock.LockKeyPart} accepts them
     * @throws IllegalArgumentException if the key cannot name a lock
     */
    List<?> parts(String cacheName, Object key);

    /**
     * The parts unless an application has its own.
     *
     * <ul>
     *   <li>What {@link dev.baton.lock.LockKeyPart} accepts is one part: text, a number, a boolean, an enum constant, a UUID,
     *       an object with {@code lockKey()}, {@code getId()} or a record's {@code id()}.
     *   <li>A {@code SimpleKey}, which Spring makes of all parameters of a method, has a part for each: none is
     *       {@code global}. So has an array or a {@code List} for its elements.
     *   <li>A null, blank text and an empty list among these are {@code (null)}, {@code (blank)} and {@code (empty)}.
     *   <li>Everything else is refused, since its text may differ between two processes.
     * </ul>
     */
    static CacheKeyParts standard() {
        return StandardKeyParts::of;
    }
}
