package dev.baton.lock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that a method runs without a lock although its class, or the method that it overrides, has
 * {@link DistributedLock}.
 *
 * <p>The nearest of both annotations applies: an overriding method may have its lock again.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface NoDistributedLock {}
