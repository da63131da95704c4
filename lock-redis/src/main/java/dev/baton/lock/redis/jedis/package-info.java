/**
 * Sends scripts and receives messages over Jedis. Jedis blocks, so this package uses threads of its own, and
 * connections of the Jedis pool.
 *
 * <p>May use {@code redis.key}, {@code redis.script}, {@code redis.pubsub} and {@code redis.client}. Begin with
 * {@link dev.baton.lock.redis.jedis.JedisLibrary}.
 */
@NullMarked
package dev.baton.lock.redis.jedis;

import org.jspecify.annotations.NullMarked;
