/**
 * Lets a grant count only when a failover can no longer undo it: when replicas have it, or when the leases that a new
 * primary may not know have ended. Used if {@code baton.replicas-to-ack} or {@code baton.failover} is set.
 *
 * <p>May use {@code redis.key}, {@code redis.command}, {@code redis.script} and {@code redis.transaction}, for its
 * connections. Begin with {@link dev.baton.lock.redis.failover.ConfirmedCommands}.
 */
@NullMarked
package dev.baton.lock.redis.failover;

import org.jspecify.annotations.NullMarked;
