/**
 * The advice around locked methods, the pointcut that finds these methods, and the request of each method.
 *
 * <p>May use the packages of {@code interceptor} except {@code interceptor.validation}. Begin with
 * {@link dev.baton.lock.interceptor.advice.LockInterceptor} and {@link dev.baton.lock.interceptor.advice.MethodLock}.
 */
@NullMarked
package dev.baton.lock.interceptor.advice;

import org.jspecify.annotations.NullMarked;
