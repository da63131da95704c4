/**
 * Handles messages about grants and free locks, independent of the client library that receives them.
 *
 * <p>May use {@code redis.key}. Subscriptions call the message handlers on their own threads, so these handlers do not
 * wait, do not call Redis, and do not throw. {@link dev.baton.lock.redis.pubsub.KeyspaceSettings} calls Redis, on a
 * thread of the store. Begin with {@link dev.baton.lock.redis.pubsub.GrantMessages}.
 */
@NullMarked
package dev.baton.lock.redis.pubsub;

import org.jspecify.annotations.NullMarked;
