/**
 * Keys and expressions of locked methods: parses them once, and evaluates them for a call.
 *
 * <p>May use {@code interceptor}. Begin with {@link dev.baton.lock.interceptor.expression.LockKey}.
 */
@NullMarked
package dev.baton.lock.interceptor.expression;

import org.jspecify.annotations.NullMarked;
