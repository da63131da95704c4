/**
 * Names of keys and channels, and the parts that the whole store on Redis shares: descriptions of failures, and
 * threads.
 *
 * <p>Depends on {@code store} and {@code time} only. Begin with {@link dev.baton.lock.redis.key.RedisKeys}.
 */
@NullMarked
package dev.baton.lock.redis.key;

import org.jspecify.annotations.NullMarked;
