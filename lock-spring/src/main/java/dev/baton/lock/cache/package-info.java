/**
 * Caches of Spring whose values are loaded by one process at a time ({@link dev.baton.lock.cache.LockingCacheManager}),
 * over any {@code CacheManager} and any {@link dev.baton.lock.LockOperations}. Independent of Redis and of the engine.
 */
@NullMarked
package dev.baton.lock.cache;

import org.jspecify.annotations.NullMarked;
