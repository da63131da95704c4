/**
 * Handlers for calls whose lock was not granted in time: they throw the time-out, or return an empty result or that of
 * another method.
 *
 * <p>May use {@code interceptor} and {@code interceptor.expression}. Begin with
 * {@link dev.baton.lock.interceptor.fallback.BusyHandler}.
 */
@NullMarked
package dev.baton.lock.interceptor.fallback;

import org.jspecify.annotations.NullMarked;
