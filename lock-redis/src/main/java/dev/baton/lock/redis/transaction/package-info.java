/**
 * Handles locks on a Redis that runs no scripts: reads and writes the same state by {@code WATCH}, {@code MULTI} and
 * {@code EXEC}, and retries if another client made a change in between.
 *
 * <p>May use {@code redis.key}. Begin with {@link dev.baton.lock.redis.transaction.Transactions}.
 */
@NullMarked
package dev.baton.lock.redis.transaction;

import org.jspecify.annotations.NullMarked;
