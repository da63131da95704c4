package dev.baton.lock.interceptor;

import dev.baton.lock.LockMode;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTarget;
import dev.baton.lock.WhenBusy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The declared locks of a method, mostly one: the request of every call, and the expressions for the parts that differ
 * between calls. Several locks are one request, granted all or none. Immutable.
 *
 * <pre>{@code
 * LockAttribute.of(LockRequest.of("order").expire(ofSeconds(10))).key("#id")
 *         .and(LockAttribute.of(LockRequest.of("customer")).key("#customer"))
 * }</pre>
 *
 * <p>{@link #of} creates an attribute; every method that sets something returns another one. Attributes are equal if
 * their requests and all their expressions are equal.
 */
public final class LockAttribute {

    private final LockRequest request;
    private final List<DeclaredLock> locks;
    private final String condition;
    private final String owner;
    private final WhenBusy whenBusy;
    private final String onTimeout;

    private LockAttribute(
            LockRequest request,
            List<DeclaredLock> locks,
            String condition,
            String owner,
            WhenBusy whenBusy,
            String onTimeout) {
        this.request = ModedLocks.request(
                request,
                locks.stream()
                        .map(lock -> new ModedLocks.One(List.of(lock.target()), lock.mode()))
                        .toList());
        this.locks = List.copyOf(locks);
        this.condition = condition;
        this.owner = owner;
        this.whenBusy = whenBusy;
        this.onTimeout = onTimeout;
        if (!owner.isEmpty() && request.owner() != null) {
            throw new IllegalArgumentException("owner '" + owner + "' and a request of the owner '"
                    + LockNames.printable(request.owner()) + "' are both given; keep one of them");
        }
        if (!owner.isEmpty() && request.permits() != null) {
            throw new IllegalArgumentException(
                    "owner '" + owner + "' and permits are both given, but each call for permits is"
                            + " an owner of its own; leave owner out");
        }
        if (whenBusy == WhenBusy.SKIP && !onTimeout.isEmpty()) {
            throw new IllegalArgumentException(
                    "whenBusy = SKIP and onTimeout = '" + onTimeout + "' are both given; keep one of them");
        }
    }

    /** Creates an attribute that uses the same request for every call and fails a call whose lock is busy. */
    public static LockAttribute of(LockRequest request) {
        return new LockAttribute(request, fixed(request), "", "", WhenBusy.FAIL, "");
    }

    private static List<DeclaredLock> fixed(LockRequest request) {
        return request.targets().stream()
                .map(target -> new DeclaredLock(target, List.of(), mode(request, target)))
                .toList();
    }

    private static LockMode mode(LockRequest request, LockTarget target) {
        return request.shared().contains(target) ? LockMode.SHARED : LockMode.EXCLUSIVE;
    }

    /** Returns the request of every call; where a lock has key expressions, the expressions replace its key. */
    public LockRequest request() {
        return request;
    }

    /**
     * Returns a copy with this request, which keeps the expressions.
     *
     * @throws IllegalArgumentException if there are expressions for a key or an owner, and the request has one, too; or
     *     if there are expressions for several locks, and the request names other locks
     */
    public LockAttribute request(LockRequest other) {
        return new LockAttribute(other, locks(other), condition, owner, whenBusy, onTimeout);
    }

    private List<DeclaredLock> locks(LockRequest other) {
        if (other.targets().equals(request.targets())) {
            // two locks of one scope, each with a key of its own, may differ in their modes
            return other.shared().equals(request.shared())
                    ? locks
                    : locks.stream()
                            .map(lock -> new DeclaredLock(lock.target(), lock.key(), mode(other, lock.target())))
                            .toList();
        }
        List<DeclaredLock> fixed = fixed(other);
        if (locks.stream().allMatch(lock -> lock.key().isEmpty())) {
            return fixed;
        }
        if (locks.size() == 1 && fixed.size() == 1) {
            return List.of(new DeclaredLock(
                    fixed.get(0).target(), locks.get(0).key(), fixed.get(0).mode()));
        }
        throw new IllegalArgumentException("the expressions of '" + request.title() + "' and a request for '"
                + other.title() + "' do not fit together; keep the locks of the request");
    }

    /** Returns the locks, at least one, in the order of their declaration. */
    public List<DeclaredLock> locks() {
        return locks;
    }

    /**
     * Returns a copy whose lock has these key parts, each a SpEL expression; without expressions, the key of the request
     * applies.
     *
     * @throws IllegalArgumentException if there are expressions, and the request has a key or several locks
     */
    public LockAttribute key(String... expressions) {
        if (expressions.length > 0 && locks.size() > 1) {
            throw new IllegalArgumentException("key " + List.of(expressions) + " of the locks '" + request.title()
                    + "' does not say which of them it is for; give each its key, and join them with and(..)");
        }
        List<DeclaredLock> keyed = locks.stream()
                .map(lock -> new DeclaredLock(lock.target(), List.of(expressions), lock.mode()))
                .toList();
        return new LockAttribute(request, keyed, condition, owner, whenBusy, onTimeout);
    }

    /**
     * Returns an attribute for these locks and the other's, all or none, each in its mode; everything else as in this
     * attribute.
     */
    public LockAttribute and(LockAttribute other) {
        List<DeclaredLock> both = new ArrayList<>(locks);
        both.addAll(other.locks);
        return new LockAttribute(request, both, condition, owner, whenBusy, onTimeout);
    }

    /** Returns the SpEL condition under which the lock is acquired; if empty, the lock is always acquired. */
    public String condition() {
        return condition;
    }

    /** Returns a copy that acquires the lock only if this SpEL expression is true. */
    public LockAttribute condition(String expression) {
        return new LockAttribute(request, locks, expression, owner, whenBusy, onTimeout);
    }

    /**
     * Returns the SpEL expression for the owner; if empty, the owner of the request applies, by default the calling
     * thread.
     */
    public String owner() {
        return owner;
    }

    /**
     * Returns a copy that acquires the lock on behalf of the owner that this SpEL expression names.
     *
     * @throws IllegalArgumentException if the request has an owner, too, or asks for permits
     */
    public LockAttribute owner(String expression) {
        return new LockAttribute(request, locks, condition, expression, whenBusy, onTimeout);
    }

    /** Returns what happens if the lock is not granted in time and there is no {@link #onTimeout()}. */
    public WhenBusy whenBusy() {
        return whenBusy;
    }

    /**
     * Returns a copy with this answer to a busy lock.
     *
     * @throws IllegalArgumentException if the answer is {@link WhenBusy#SKIP} and there is a handler
     */
    public LockAttribute whenBusy(WhenBusy answer) {
        return new LockAttribute(request, locks, condition, owner, answer, onTimeout);
    }

    /** Returns the handler to call if the lock is not granted in time; empty if there is none. */
    public String onTimeout() {
        return onTimeout;
    }

    /**
     * Returns a copy with this handler for a busy lock: a method of the same bean, or SpEL that begins with
     * {@code @bean}; none if empty.
     *
     * @throws IllegalArgumentException if there is a handler, and {@link #whenBusy()} is {@link WhenBusy#SKIP}
     */
    public LockAttribute onTimeout(String handler) {
        return new LockAttribute(request, locks, condition, owner, whenBusy, handler);
    }

    /** Returns the scope: the kind of thing that is locked. Several scopes are joined by {@code +}, as in meters. */
    public String scope() {
        return locks.stream().map(DeclaredLock::scope).distinct().sorted().collect(Collectors.joining("+"));
    }

    /** Returns whether the handler for a busy lock is an expression instead of a method of the same bean. */
    public boolean isTimeoutExpression() {
        return onTimeout.startsWith("@");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof LockAttribute that
                        && request.equals(that.request)
                        && locks.equals(that.locks)
                        && condition.equals(that.condition)
                        && owner.equals(that.owner)
                        && whenBusy == that.whenBusy
                        && onTimeout.equals(that.onTimeout);
    }

    @Override
    public int hashCode() {
        return Objects.hash(request, locks, condition, owner, whenBusy, onTimeout);
    }

    /** Names the request and the settings that differ from those of {@link #of}, for people. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "LockAttribute[", "]").add(request.toString());
        String keys = locks.stream()
                .filter(lock -> !lock.key().isEmpty())
                .map(lock -> (locks.size() == 1 ? "" : lock.scope()) + lock.key())
                .collect(Collectors.joining(" "));
        add(text, "key", keys);
        add(text, "condition", condition);
        add(text, "owner", owner);
        add(text, "whenBusy", whenBusy == WhenBusy.FAIL ? "" : whenBusy.name());
        add(text, "onTimeout", onTimeout);
        return text.toString();
    }

    private static void add(StringJoiner text, String setting, String value) {
        if (!value.isEmpty()) {
            text.add(setting + "=" + value);
        }
    }
}
