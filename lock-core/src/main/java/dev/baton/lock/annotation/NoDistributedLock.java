package dev.baton.lock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method that runs without a lock although its class has {@link DistributedLock}, or the method that it overrides.
 *
 * <p>The nearest of both annotations counts: an overriding method may have its lock again.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface NoDistributedLock {}
