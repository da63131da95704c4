/**
 * Answers to calls whose lock was not granted in time: the time-out, an empty result, or that of a handler.
 *
 * <p>May use {@code interceptor} and {@code interceptor.expression}. Begin with
 * {@link dev.baton.lock.interceptor.fallback.BusyHandler}.
 */
@NullMarked
package dev.baton.lock.interceptor.fallback;

import org.jspecify.annotations.NullMarked;
