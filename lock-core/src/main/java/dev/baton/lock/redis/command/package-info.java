/**
 * The operations on locks, whichever handler carries them out.
 *
 * <p>May use {@code store}. {@code redis.script} and {@code redis.transaction} implement
 * {@link dev.baton.lock.redis.command.LockCommands}, and a session of the store has one of them.
 */
@NullMarked
package dev.baton.lock.redis.command;

import org.jspecify.annotations.NullMarked;
