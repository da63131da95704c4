/**
 * Sends scripts and receives messages by Jedis, which blocks: on threads and connections of its own pool.
 *
 * <p>May use {@code redis.key}, {@code redis.script} and {@code redis.pubsub}. Begin with
 * {@link dev.baton.lock.redis.jedis.JedisTransport}.
 */
@NullMarked
package dev.baton.lock.redis.jedis;

import org.jspecify.annotations.NullMarked;
