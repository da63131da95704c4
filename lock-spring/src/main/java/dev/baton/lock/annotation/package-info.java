/**
 * {@link dev.baton.lock.annotation.DistributedLock}, and the reader that turns it into a
 * {@link dev.baton.lock.interceptor.LockAttribute}.
 */
@NullMarked
package dev.baton.lock.annotation;

import org.jspecify.annotations.NullMarked;
