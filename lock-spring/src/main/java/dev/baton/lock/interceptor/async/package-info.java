/**
 * Methods that return before their work is done: their lock is kept until the returned stage or publisher completes.
 *
 * <p>May use {@code interceptor} and {@code interceptor.fallback}. Begin with
 * {@link dev.baton.lock.interceptor.async.AsyncInvocation}.
 */
@NullMarked
package dev.baton.lock.interceptor.async;

import org.jspecify.annotations.NullMarked;
