/**
 * From an intercepted call to a lock request: which methods have a lock ({@link dev.baton.lock.interceptor.LockAttributeSource}),
 * which key a call has, the advice itself, and the checks at start-up. Knows no annotation and no Redis, and never waits.
 */
@NullMarked
package dev.baton.lock.interceptor;

import org.jspecify.annotations.NullMarked;
