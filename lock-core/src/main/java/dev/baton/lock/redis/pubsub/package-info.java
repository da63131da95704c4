/**
 * Messages that tell of grants and of free locks, whichever client library receives them.
 *
 * <p>May use {@code redis.key}. Subscriptions call the handlers of messages on their own threads, so these handlers neither wait nor
 * call Redis nor throw. {@link dev.baton.lock.redis.pubsub.KeyspaceSettings} calls Redis, on a thread of the store. Begin with
 * {@link dev.baton.lock.redis.pubsub.GrantMessages}.
 */
@NullMarked
package dev.baton.lock.redis.pubsub;

import org.jspecify.annotations.NullMarked;
