package dev.baton.lock.annotation;

import dev.baton.lock.LockMode;
import dev.baton.lock.OnLost;
import dev.baton.lock.OnStuck;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.WhenBusy;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sets the attributes that the {@link DistributedLock}s of a class have in common. Does not protect any method on its
 * own.
 *
 * <p>Every attribute has the same meaning as in {@link DistributedLock}. The attributes apply to methods of the class
 * and of its subclasses that have a lock and leave the attribute open. The annotation on the method, then the one on
 * the class, take precedence over these defaults. The defaults take precedence over {@code baton.scopes.<scope>.*} and
 * {@code baton.*}. If several classes of a bean have defaults, the nearest class counts. On an interface, the defaults
 * apply to its methods.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface LockDefaults {

    /** See {@link DistributedLock#scope()}. */
    String scope() default "";

    /** See {@link DistributedLock#key()}. */
    String[] key() default {};

    /** See {@link DistributedLock#expire()}. */
    long expire() default -1;

    /** See {@link DistributedLock#expireString()}. */
    String expireString() default "";

    /** See {@link DistributedLock#waitTime()}. */
    long waitTime() default -1;

    /** See {@link DistributedLock#waitTimeString()}. */
    String waitTimeString() default "";

    /** See {@link DistributedLock#stallTimeString()}. */
    String stallTimeString() default "";

    /** See {@link DistributedLock#onStuck()}. */
    OnStuck[] onStuck() default {};

    /** See {@link DistributedLock#holdAtLeastString()}. */
    String holdAtLeastString() default "";

    /** See {@link DistributedLock#renew()}. */
    Renewal[] renew() default {};

    /** See {@link DistributedLock#mode()}. */
    LockMode[] mode() default {};

    /** See {@link DistributedLock#permits()}. */
    int permits() default 0;

    /** See {@link DistributedLock#reentrant()}. */
    boolean[] reentrant() default {};

    /** See {@link DistributedLock#condition()}. */
    String condition() default "";

    /** See {@link DistributedLock#whenBusy()}. */
    WhenBusy[] whenBusy() default {};

    /** See {@link DistributedLock#onTimeout()}. */
    String onTimeout() default "";

    /** See {@link DistributedLock#onLost()}. */
    OnLost[] onLost() default {};

    /** See {@link DistributedLock#namespace()}. */
    String namespace() default "";

    /** See {@link DistributedLock#owner()}. */
    String owner() default "";

    /** See {@link DistributedLock#recheckString()}. */
    String recheckString() default "";

    /** See {@link DistributedLock#waitStrategy()}. */
    WaitStrategy[] waitStrategy() default {};

    /** See {@link DistributedLock#pollingIntervalString()}. */
    String pollingIntervalString() default "";
}
