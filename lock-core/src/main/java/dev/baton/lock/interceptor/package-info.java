/**
 * From an intercepted call to a lock request: which methods have a lock ({@link dev.baton.lock.interceptor.LockAttributeSource}),
 * and what their locks are. The packages below it are stacked: {@code expression}, {@code fallback}, {@code async} and
 * {@code transaction}, {@code advice}, {@code validation}. Knows no annotation and no Redis, and never waits.
 */
@NullMarked
package dev.baton.lock.interceptor;

import org.jspecify.annotations.NullMarked;
