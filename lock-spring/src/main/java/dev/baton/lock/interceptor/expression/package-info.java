/**
 * Parses the keys and expressions of locked methods once, and evaluates them for each call.
 *
 * <p>May use {@code interceptor}. Begin with {@link dev.baton.lock.interceptor.expression.LockKey}.
 */
@NullMarked
package dev.baton.lock.interceptor.expression;

import org.jspecify.annotations.NullMarked;
