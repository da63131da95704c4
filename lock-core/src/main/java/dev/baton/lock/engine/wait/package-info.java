/**
 * Waiting requests: sends acquires, handles answers and grant messages, repeats acquires, and detects a silent
 * subscription.
 *
 * <p>Internal. May use {@code engine.lease} and what that uses. Begin with
 * {@link dev.baton.lock.engine.wait.AcquireDispatcher}.
 */
@NullMarked
package dev.baton.lock.engine.wait;

import org.jspecify.annotations.NullMarked;
