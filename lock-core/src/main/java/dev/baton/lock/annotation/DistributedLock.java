package dev.baton.lock.annotation;

import dev.baton.lock.Renewal;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * A method that at most one caller executes at a time, over all threads and processes that share the Redis.
 *
 * <pre>{@code
 * @DistributedLock(scope = "server_access", key = "#serverId", expire = 10)
 * void deploy(long serverId) { ... }   // lock server_access.42, for at most 10 s
 * }</pre>
 *
 * <p>The lock is taken before the method and before any transaction that the method begins, and given back after both,
 * whether they succeed or fail. The owner is the calling thread: a method with the same lock that is called meanwhile in
 * that thread runs at once. A lock that is taken while a transaction is already active is given back when that
 * transaction completes, with a warning; put the annotation on the method that begins the transaction instead.
 *
 * <p>Works on methods that are called on a Spring bean from outside, not through {@code this}, and that return when their
 * work is done. It may stand on the method of a class, on that of an interface or a superclass (the nearest one counts),
 * and on an annotation of your own, whose attributes may stand for its attributes with {@link AliasFor}. What cannot
 * work (private, static and final methods, asynchronous return types, keys that do not parse ...) fails the start of the
 * application.
 *
 * @see dev.baton.lock.LockContext#currentLease()
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface DistributedLock {

    /** The same as {@link #scope()}. */
    @AliasFor("scope")
    String value() default "";

    /**
     * What kind of thing is locked, such as {@code server_access}: a text without braces, or {@code ${...}} placeholders.
     *
     * <p>Empty: the name of the bean's class, a dot and the name of the method, with the parameter types in parentheses
     * if the class has several methods of that name. Such a name changes when the code does; name the scope yourself
     * where two versions run side by side.
     */
    @AliasFor("value")
    String scope() default "";

    /**
     * Which one is locked: SpEL expressions, each one part of the key; empty: {@code global}.
     *
     * <p>Evaluated once per call, before the method. An expression may use {@code #name} of a parameter (needs
     * {@code -parameters} at compilation), {@code #p0} or {@code #a0} of its position, {@code #root.method},
     * {@code #root.target}, {@code #root.targetClass}, {@code #root.args}, and {@code @bean}; a literal stands in its own
     * quotes ({@code "'daily'"}). The value is text, a number, a boolean, an enum constant, a UUID, or an object with
     * {@code lockKey()}, {@code getId()} or a record's {@code id()}; a call whose value is null, blank or anything else
     * fails with an {@link IllegalArgumentException}, and the method is not executed.
     */
    String[] key() default {};

    /**
     * Length of the lease in seconds, at least 1: at the latest then the lock is free again, even if the method still
     * runs. -1, written or not: {@link #expireString()}, or else the configured {@code baton.expire}, renewed while the
     * method runs.
     */
    long expire() default -1;

    /**
     * Length of the lease, 10 ms to ten years, with its unit: {@code 500ms}, {@code 10s}, {@code PT10S}, or
     * {@code ${...}}. Empty, also after the placeholders are replaced: not given. Excludes {@link #expire()}.
     */
    String expireString() default "";

    /**
     * Upper bound on waiting for the lock in seconds; 0: does not wait. A call that does not get it in time fails with
     * {@link dev.baton.lock.LockTimeoutException}. -1, written or not: {@link #waitTimeString()}, or else the configured
     * {@code baton.wait-time}.
     */
    long waitTime() default -1;

    /**
     * Upper bound on waiting with its unit: {@code 500ms}, {@code 10s}, {@code PT10S}, {@code 0}, {@code unbounded}, or
     * {@code ${...}}. Empty, also after the placeholders are replaced: not given. Excludes {@link #waitTime()}.
     */
    String waitTimeString() default "";

    /** Whether the lease is prolonged while the method runs; by default only if no {@code expire} is given here. */
    Renewal renew() default Renewal.AUTO;
}
