/** From an intercepted call to a lock request. */
@NullMarked
package dev.baton.lock.interceptor;

import org.jspecify.annotations.NullMarked;
