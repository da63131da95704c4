/**
 * Turns an intercepted call into a lock request. Determines which methods have a lock
 * ({@link dev.baton.lock.interceptor.LockAttributeSource}), and which lock.
 *
 * <p>The packages below this one are layered, from bottom to top: {@code expression}, {@code fallback}, {@code async}
 * and {@code transaction}, {@code advice}, {@code validation}. Uses no annotation and no Redis, and never waits.
 */
@NullMarked
package dev.baton.lock.interceptor;

import org.jspecify.annotations.NullMarked;
