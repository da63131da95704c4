package dev.baton.lock.annotation;

import dev.baton.lock.LockMode;
import dev.baton.lock.OnLost;
import dev.baton.lock.OnStuck;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.WhenBusy;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Declares that at most one caller at a time may execute the method, across all threads and processes that use the same
 * Redis.
 *
 * <pre>{@code
 * @DistributedLock(scope = "server_access", key = "#serverId", expire = 10)
 * void deploy(long serverId) { ... }   // lock server_access.42, for at most 10 s
 * }</pre>
 *
 * <p>The lock is acquired before the method and before any transaction that the method begins, and released after both,
 * whether they succeed or fail. The owner is the calling thread: a method with the same lock that this thread calls
 * meanwhile runs at once. A lock that is acquired inside an already active transaction is released when that
 * transaction completes, with a warning. Put the annotation on the method that begins the transaction instead.
 *
 * <p>The method must be called on a Spring bean from outside, not by self-invocation ({@code this}). The end of its
 * work must be known. The annotation may be on the method of a class, or on that of an interface or a superclass; the
 * nearest annotation applies. A composed annotation may carry {@code @DistributedLock}, and set its attributes with
 * {@link AliasFor}. A declaration that cannot work fails the start of the application: private, static and final
 * methods, return types such as {@code Future}, keys that do not parse, and others.
 *
 * <p>A method that returns a {@code CompletionStage}, {@code CompletableFuture}, {@code Mono}, {@code Flux} or another
 * reactive type is called when its lock is granted. The lock is held until the returned object completes, fails or is
 * cancelled. No thread waits, and the owner is the call.
 *
 * <p>Several of these annotations at one place are one request: the call acquires all their locks in one step or none,
 * with one lease and one fencing token. Composed annotations count.
 *
 * <pre>{@code
 * @DistributedLock(scope = "order", key = "#order", waitTime = 2)
 * @DistributedLock(scope = "customer", key = "#customer")
 * void close(long order, String customer) { ... }   // order.42 and customer.acme
 * }</pre>
 *
 * <p>{@link #scope()} and {@link #key()} belong to each annotation. Every other attribute belongs to the request: it is
 * written on one of the annotations, or with the same value on several. Different values fail the start. So do two
 * annotations with the same scope and key, and two that leave the scope open. Properties of
 * {@code baton.scopes.<scope>.*} apply if all locks have that scope. The annotations of a method replace the locks of
 * its class.
 *
 * <p>If the lock is lost before a transaction under the lock is committed, the transaction is rolled back.
 *
 * <p>With {@code baton.enabled=false}, the method runs at once and excludes no other call. It has a lease nevertheless,
 * which does not end while the method runs. Keys, conditions and owners are evaluated as usual.
 *
 * <p>On a class, the annotation applies to every public method of a bean of the class, including inherited methods.
 * Methods of {@link Object} and methods with {@link NoDistributedLock} are excluded. On an interface, the annotation
 * applies to the methods of the interface. An attribute that is not set on the method comes from the annotation on the
 * class, then from {@link LockDefaults} on the class, then from {@code baton.scopes.<scope>.*}, then from
 * {@code baton.*}.
 *
 * <p>Texts may have {@code ${...}} placeholders, except those that are SpEL: {@link #key()}, {@link #condition()},
 * {@link #owner()}, and {@link #onTimeout()} if it begins with {@code @}. SpEL is evaluated once per call, before the
 * method. Expressions may use a parameter by name as {@code #name} (needs {@code -parameters} at compilation), or by
 * position as {@code #p0} or {@code #a0}. They may also use {@code #root.method}, {@code #root.target},
 * {@code #root.targetClass}, {@code #root.args}, and {@code @bean}.
 *
 * <p>Some attributes with one value are declared as arrays, so that "not written" differs from every value. Write a
 * single value, as in {@code reentrant = false}. More than one value fails the start.
 *
 * @see dev.baton.lock.LockContext#currentLease()
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(DistributedLocks.class)
public @interface DistributedLock {

    /** An alias for {@link #scope()}. */
    @AliasFor("scope")
    String value() default "";

    /**
     * The kind of thing that is locked, such as {@code server_access}: a text without braces, or {@code ${...}}
     * placeholders.
     *
     * <p>If empty, the scope is the name of the bean's class, a dot and the name of the method. If the class has
     * several methods of that name, the parameter types follow in parentheses. Such a scope changes with the code, so
     * write the scope explicitly where two versions run side by side.
     */
    @AliasFor("value")
    String scope() default "";

    /**
     * The thing that is locked: SpEL expressions, each one part of the key. If empty, the key is {@code global}. A
     * literal has its own quotes ({@code "'daily'"}).
     *
     * <p>The value of a part is text, a number, a boolean, an enum constant, a UUID, or a date, time or duration of
     * {@code java.time}. An object is also valid if it has {@code lockKey()}, {@code getId()} or a record's
     * {@code id()}. If the value is {@code null}, blank or anything else, the call fails with an
     * {@link IllegalArgumentException}, and the method is not executed.
     *
     * <p>The value of one part may be a collection or an array of these values. The call then acquires one lock per
     * element, all or none; the other parts are the same in each lock. An empty collection is rejected, and so is a
     * second collection.
     */
    String[] key() default {};

    /**
     * The length of the lease in seconds, at least 1. The lock is free again at the end of the lease at the latest,
     * even if the method still runs. -1, whether written or not, selects {@link #expireString()}, or else the
     * configured {@code baton.expire}, renewed while the method runs.
     */
    long expire() default -1;

    /**
     * The length of the lease with its unit, from 10 ms to ten years: {@code 500ms}, {@code 10s}, {@code PT10S}, or
     * {@code ${...}}. Empty means not given, also after the placeholders are replaced. Excludes {@link #expire()}.
     */
    String expireString() default "";

    /**
     * The upper bound on waiting for the lock, in seconds; with 0, the call does not wait. A call that times out fails
     * with {@link dev.baton.lock.LockTimeoutException}, or as {@link #whenBusy()} or {@link #onTimeout()} specify. -1,
     * whether written or not, selects {@link #waitTimeString()}, or else the configured {@code baton.wait-time}.
     */
    long waitTime() default -1;

    /**
     * The upper bound on waiting with its unit: {@code 500ms}, {@code 10s}, {@code PT10S}, {@code 0},
     * {@code unbounded}, or {@code ${...}}. Empty means not given, also after the placeholders are replaced. Excludes
     * {@link #waitTime()}.
     */
    String waitTimeString() default "";

    /**
     * The time after which a call stops waiting because the same holder has kept the lock that long, or takes the lock
     * ({@link #onStuck()}). Has a unit, and is
     * from 10 ms to ten years. A new holder restarts this time. If empty, {@code baton.stall-time} applies. If that is
     * not set either, a call never stops waiting for that reason.
     */
    String stallTimeString() default "";

    /**
     * The reaction of a waiting call to a holder that has kept the lock for the stall time: fail, or take the lock as if the
     * holder had failed ({@link OnStuck#STEAL}), which needs a stall time, or the start fails. If not written, the setting
     * of the scope applies, by default {@link OnStuck#FAIL}.
     */
    OnStuck[] onStuck() default {};

    /**
     * The minimum time for which the lock is kept, with its unit, even if the method returns earlier: {@code 500ms},
     * {@code 10s}, {@code PT10S}, or {@code ${...}}. Positive, and at most {@code expire}. If empty, also after the
     * placeholders are replaced, there is no minimum.
     */
    String holdAtLeastString() default "";

    /**
     * Whether the lease is extended while the method runs. If not written, or with {@link Renewal#AUTO}, the lease is
     * extended only if no {@code expire} is given nearer than {@code baton.expire}.
     */
    Renewal[] renew() default {};

    /**
     * Whether the method shares the lock with other readers ({@link LockMode#SHARED}) or has it alone
     * ({@link LockMode#EXCLUSIVE}, the default). {@code SHARED} needs {@code baton.wait-strategy: grant} and scripts;
     * otherwise the start fails.
     */
    LockMode[] mode() default {};

    /**
     * How many calls may run at a time, in all processes together. If 0, the method has a lock: one call at a time. If
     * positive, each call takes one permit of the semaphore of this name, which is independent of the lock of that name.
     * Not negative. Excludes several locks, {@code mode = SHARED}, {@link #stallTimeString()}, {@link #reentrant()} and
     * {@link #owner()}. Needs {@code baton.wait-strategy: grant} and scripts; otherwise the start fails.
     */
    int permits() default 0;

    /**
     * Whether a call runs at once if its owner already holds the lock. Defaults to {@code true}. With {@code false},
     * such a call fails at once with {@link dev.baton.lock.LockDeadlockException}.
     */
    boolean[] reentrant() default {};

    /**
     * The SpEL condition for acquiring the lock. If {@code false}, the method runs without the lock. If empty, the lock
     * is always acquired.
     */
    String condition() default "";

    /**
     * The behavior of a call whose lock is not granted in time: throw, or return nothing ({@code null}, an empty
     * {@code Optional}). Defaults to throwing. {@link WhenBusy#SKIP} excludes {@link #onTimeout()}, methods that return
     * a primitive type, and methods that promise a result which is never {@code null} (JSpecify, Kotlin).
     */
    WhenBusy[] whenBusy() default {};

    /**
     * The handler that is called instead of the method if the lock is not granted in time; its result is that of the
     * call. One form is the name of a method of the same class, called as on {@code this}. Such a method has the same
     * parameters, optionally followed by a {@link dev.baton.lock.LockTimeoutException}. The other form is SpEL that
     * calls a method of a bean, {@code @bean.method(#id)}. The handler is not called if the store is unavailable, nor
     * for an exception of the method itself. If empty, there is no handler.
     */
    String onTimeout() default "";

    /**
     * The behavior of the call if its lease is lost while the method runs. If not written, the setting of the
     * operations applies, by default {@link OnLost#THROW}.
     */
    OnLost[] onLost() default {};

    /**
     * A nested namespace below the configured one: names separated by colons, without braces. If empty, the configured
     * one applies.
     */
    String namespace() default "";

    /**
     * The SpEL expression for the owner, if the owner is not the calling thread. Calls with the same owner in this
     * process share the lock. The value has the same form as that of a part of the {@link #key()}. If empty, the owner
     * is the calling thread.
     */
    String owner() default "";

    /**
     * The interval at which a waiting call asks again on its own, from 10 ms to ten years, with its unit. If empty, the
     * configured {@code baton.recheck} applies.
     */
    String recheckString() default "";

    /**
     * How a waiting call learns that the lock may be its own: {@link WaitStrategy#POLLING}, or the configured
     * {@code baton.wait-strategy}, which also applies if not written. Any other strategy fails the start.
     */
    WaitStrategy[] waitStrategy() default {};

    /**
     * The longest pause between two polls, with its unit: {@code 20ms}, or {@code ${...}}, from 1 ms to ten years. Only
     * for calls that poll; otherwise the start fails. If empty, also after the placeholders are replaced, the configured
     * {@code baton.polling.interval} applies.
     */
    String pollingIntervalString() default "";
}
