/**
 * The names of keys and channels, and what all parts of the store on Redis share: how failures are told, and its threads.
 *
 * <p>Depends on {@code store} and {@code time} only. Begin with {@link dev.baton.lock.redis.key.RedisKeys}.
 */
@NullMarked
package dev.baton.lock.redis.key;

import org.jspecify.annotations.NullMarked;
