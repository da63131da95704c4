package dev.baton.lock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Contains several {@link DistributedLock}s of one method or class. The locks are one request, granted all or none.
 *
 * <p>The compiler adds this annotation if {@link DistributedLock} is repeated. It may also be written out. Without a
 * lock inside, it fails the start.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface DistributedLocks {

    /** The locks, at least one. */
    DistributedLock[] value();
}
