/**
 * Operations on locks, independent of the handler that carries them out.
 *
 * <p>May use {@code store}. {@code redis.script} and {@code redis.transaction} implement
 * {@link dev.baton.lock.redis.command.LockCommands}. Each session of the store has one instance.
 */
@NullMarked
package dev.baton.lock.redis.command;

import org.jspecify.annotations.NullMarked;
