/**
 * Lets grants and renewals count only when replicas have them. Used if {@code baton.replicas-to-ack} is set.
 *
 * <p>May use {@code redis.key}, {@code redis.command}, {@code redis.script} and {@code redis.transaction}, for its
 * connections. Begin with {@link dev.baton.lock.redis.replica.AcknowledgedCommands}.
 */
@NullMarked
package dev.baton.lock.redis.replica;

import org.jspecify.annotations.NullMarked;
