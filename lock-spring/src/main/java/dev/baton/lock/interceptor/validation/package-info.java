/**
 * Checks lock declarations at the start of the application: a wrong declaration fails the start, with the name of the
 * method and a remedy.
 *
 * <p>May use all packages of {@code interceptor}. Begin with
 * {@link dev.baton.lock.interceptor.validation.LockedBeanVerifier}.
 */
@NullMarked
package dev.baton.lock.interceptor.validation;

import org.jspecify.annotations.NullMarked;
