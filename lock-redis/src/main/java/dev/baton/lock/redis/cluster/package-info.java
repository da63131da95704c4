/**
 * Sends scripts to the masters of a Redis Cluster, and receives messages from each. Follows the slots from master to
 * master.
 *
 * <p>May use {@code redis.key}, {@code redis.script}, {@code redis.pubsub}, {@code redis.client} and
 * {@code redis.transaction}, for its connections. Begin with
 * {@link dev.baton.lock.redis.cluster.Cluster}.
 */
@NullMarked
package dev.baton.lock.redis.cluster;

import org.jspecify.annotations.NullMarked;
