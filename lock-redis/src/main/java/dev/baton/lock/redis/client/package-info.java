/**
 * What the store needs of a client library, whichever it is. {@code redis.lettuce} and {@code redis.jedis} implement it.
 *
 * <p>May use {@code redis.key}, {@code redis.script} and {@code redis.pubsub}. Begin with
 * {@link dev.baton.lock.redis.client.ClientLibrary}.
 */
@NullMarked
package dev.baton.lock.redis.client;

import org.jspecify.annotations.NullMarked;
