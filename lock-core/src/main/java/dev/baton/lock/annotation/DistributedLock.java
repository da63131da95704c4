package dev.baton.lock.annotation;

import dev.baton.lock.LockMode;
import dev.baton.lock.OnLost;
import dev.baton.lock.Renewal;
import dev.baton.lock.WhenBusy;
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
 * <p>Works on methods that are called on a Spring bean from outside, not through {@code this}, and of which it is known when
 * their work is done. It may stand on the method of a class, on that of an interface or a superclass (the nearest one counts),
 * and on an annotation of your own, whose attributes may stand for its attributes with {@link AliasFor}. What cannot
 * work (private, static and final methods, return types such as {@code Future}, keys that do not parse ...) fails the start of
 * the application.
 *
 * <p>A method that returns a {@code CompletionStage}, {@code CompletableFuture}, {@code Mono}, {@code Flux} or another reactive type
 * is called when its lock was granted, and holds it until what it returned completes, fails or is cancelled. No thread waits; the owner
 * is the call.
 *
 * <p>If the lock is lost before a transaction under it is committed, that is rolled back.
 *
 * <p>On a class it stands for every public method that a bean of the class has, inherited ones too, save those of
 * {@link Object} and those with {@link NoDistributedLock}; on an interface for the methods of the interface. What an annotation
 * on a method leaves open is taken from the one on the class, then from {@link LockDefaults} on the class, then from
 * {@code baton.scopes.<scope>.*}, then from {@code baton.*}.
 *
 * <p>Texts may have {@code ${...}} placeholders, except those that are SpEL: {@link #key()}, {@link #condition()},
 * {@link #owner()}, and {@link #onTimeout()} if it begins with {@code @}. SpEL is evaluated once per call, before the method, and
 * may use {@code #name} of a parameter (needs {@code -parameters} at compilation), {@code #p0} or {@code #a0} of its position,
 * {@code #root.method}, {@code #root.target}, {@code #root.targetClass}, {@code #root.args}, and {@code @bean}.
 *
 * <p>Attributes with one value that are declared as arrays are so in order that "not written" differs from every value: write
 * {@code reentrant = false}. More than one value fails the start.
 *
 * @see dev.baton.lock.LockContext#currentLease()
 */
@Target({ElementType.METHOD, ElementType.TYPE})
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
     * Which one is locked: SpEL expressions, each one part of the key; empty: {@code global}. A literal stands in its own quotes
     * ({@code "'daily'"}).
     *
     * <p>The value of a part is text, a number, a boolean, an enum constant, a UUID, or an object with {@code lockKey()},
     * {@code getId()} or a record's {@code id()}; a call whose value is null, blank or anything else fails with an
     * {@link IllegalArgumentException}, and the method is not executed.
     *
     * <p>The value of one part may be a collection or an array of these: then one lock per element is taken, all or none, each
     * with the other parts as they are. An empty one is refused, and so is a second collection.
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
     * {@link dev.baton.lock.LockTimeoutException}, or as {@link #whenBusy()} or {@link #onTimeout()} say. -1, written or not:
     * {@link #waitTimeString()}, or else the configured {@code baton.wait-time}.
     */
    long waitTime() default -1;

    /**
     * Upper bound on waiting with its unit: {@code 500ms}, {@code 10s}, {@code PT10S}, {@code 0}, {@code unbounded}, or
     * {@code ${...}}. Empty, also after the placeholders are replaced: not given. Excludes {@link #waitTime()}.
     */
    String waitTimeString() default "";

    /**
     * Gives up waiting when the same holder has kept the lock that long, 10 ms to ten years, with its unit; a new holder starts
     * the clock again. Empty: never for that reason.
     */
    String stallTimeString() default "";

    /**
     * How long the lock is kept, with its unit, even if the method returns earlier; at most {@code expire}. Empty: not at all.
     */
    String holdAtLeast() default "";

    /**
     * Whether the lease is extended while the method runs. Not written, or {@link Renewal#AUTO}: only if no {@code expire} is
     * given nearer than {@code baton.expire}.
     */
    Renewal[] renew() default {};

    /** How many may hold the lock. Not written: one. {@link LockMode#SHARED} is not supported yet and fails the start. */
    LockMode[] mode() default {};

    /**
     * Whether a call by an owner that holds the lock already runs at once. Not written: true; false: it fails at once with
     * {@link dev.baton.lock.LockDeadlockException}.
     */
    boolean[] reentrant() default {};

    /** SpEL that says whether the lock is taken at all; false: the method runs without it. Empty: always. */
    String condition() default "";

    /**
     * What a call does that does not get the lock in time: throw, or return nothing ({@code null}, an empty {@code Optional}).
     * Not written: throw. {@link WhenBusy#SKIP} excludes {@link #onTimeout()}, methods that return a primitive type, and those
     * that promise a result which is never null (JSpecify, Kotlin).
     */
    WhenBusy[] whenBusy() default {};

    /**
     * What is called instead of the method if it does not get the lock in time; its result is that of the call. Either the
     * name of a method of the same class, with the same parameters and optionally a
     * {@link dev.baton.lock.LockTimeoutException} after them, called as on {@code this}, or SpEL that calls a method of a bean,
     * {@code @bean.method(#id)}. Not called if the store cannot be asked, nor for what the method itself throws. Empty: nothing.
     */
    String onTimeout() default "";

    /** What happens to the method if its lease is lost while it runs. Not written: the operations' own, {@link OnLost#THROW}. */
    OnLost[] onLost() default {};

    /** A nested namespace below the configured one: names separated by colons, no braces. Empty: the configured one. */
    String namespace() default "";

    /**
     * SpEL for who asks, if it is not the calling thread: calls with the same owner in this process share the lock. Its value is
     * as that of a part of the {@link #key()}. Empty: the calling thread.
     */
    String owner() default "";

    /**
     * How often a waiting call asks again by itself, 10 ms to ten years, with its unit. Empty: the configured
     * {@code baton.recheck}.
     */
    String recheckString() default "";
}
