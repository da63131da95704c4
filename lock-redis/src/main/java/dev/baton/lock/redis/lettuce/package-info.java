/**
 * Sends scripts and receives messages over Lettuce: one connection for commands, which all threads share, and one that
 * listens.
 *
 * <p>May use {@code redis.key}, {@code redis.script}, {@code redis.pubsub} and {@code redis.client}. Begin with
 * {@link dev.baton.lock.redis.lettuce.LettuceLibrary}.
 */
@NullMarked
package dev.baton.lock.redis.lettuce;

import org.jspecify.annotations.NullMarked;
