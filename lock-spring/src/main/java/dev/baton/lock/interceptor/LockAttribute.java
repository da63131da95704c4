package dev.baton.lock.interceptor;

import dev.baton.lock.LockNames;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTarget;
import dev.baton.lock.WhenBusy;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The declared lock of a method: the request of every call, and the expressions for the parts that differ between
 * calls. Immutable.
 *
 * <pre>{@code
 * LockAttribute.of(LockRequest.of("order").expire(ofSeconds(10))).key("#id")
 * }</pre>
 *
 * <p>{@link #of} creates an attribute; every method that sets something returns another one. Attributes are equal if
 * their requests and all their expressions are equal.
 */
public final class LockAttribute {

    private final LockRequest request;
    private final List<String> key;
    private final String condition;
    private final String owner;
    private final WhenBusy whenBusy;
    private final String onTimeout;

    private LockAttribute(
            LockRequest request,
            List<String> key,
            String condition,
            String owner,
            WhenBusy whenBusy,
            String onTimeout) {
        this.request = request;
        this.key = key;
        this.condition = condition;
        this.owner = owner;
        this.whenBusy = whenBusy;
        this.onTimeout = onTimeout;
        if (!key.isEmpty() && !isGlobal(request)) {
            throw new IllegalArgumentException("key " + key + " and a request for '" + request.title()
                    + "' are both given; give the request a scope only, or leave the key out");
        }
        if (!owner.isEmpty() && request.owner() != null) {
            throw new IllegalArgumentException("owner '" + owner + "' and a request of the owner '"
                    + LockNames.printable(request.owner()) + "' are both given; keep one of them");
        }
        if (whenBusy == WhenBusy.SKIP && !onTimeout.isEmpty()) {
            throw new IllegalArgumentException(
                    "whenBusy = SKIP and onTimeout = '" + onTimeout + "' are both given; keep one of them");
        }
    }

    private static boolean isGlobal(LockRequest request) {
        return request.targets().size() == 1
                && request.targets().get(0).keyParts().equals(List.of(LockTarget.GLOBAL));
    }

    /** Creates an attribute that uses the same request for every call and fails a call whose lock is busy. */
    public static LockAttribute of(LockRequest request) {
        return new LockAttribute(request, List.of(), "", "", WhenBusy.FAIL, "");
    }

    /** Returns the request of every call; with key expressions, the expressions replace its key. */
    public LockRequest request() {
        return request;
    }

    /**
     * Returns a copy with this request, which keeps the expressions.
     *
     * @throws IllegalArgumentException if there are expressions for a key or an owner, and the request has one, too
     */
    public LockAttribute request(LockRequest other) {
        return new LockAttribute(other, key, condition, owner, whenBusy, onTimeout);
    }

    /** Returns the SpEL expressions, each one part of the key; if empty, the key of the request applies. */
    public List<String> key() {
        return key;
    }

    /**
     * Returns a copy with these key parts, each a SpEL expression.
     *
     * @throws IllegalArgumentException if there are expressions, and the request has a key, too
     */
    public LockAttribute key(String... expressions) {
        return new LockAttribute(request, List.of(expressions), condition, owner, whenBusy, onTimeout);
    }

    /** Returns the SpEL condition under which the lock is acquired; if empty, the lock is always acquired. */
    public String condition() {
        return condition;
    }

    /** Returns a copy that acquires the lock only if this SpEL expression is true. */
    public LockAttribute condition(String expression) {
        return new LockAttribute(request, key, expression, owner, whenBusy, onTimeout);
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
     * @throws IllegalArgumentException if the request has an owner, too
     */
    public LockAttribute owner(String expression) {
        return new LockAttribute(request, key, condition, expression, whenBusy, onTimeout);
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
        return new LockAttribute(request, key, condition, owner, answer, onTimeout);
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
        return new LockAttribute(request, key, condition, owner, whenBusy, handler);
    }

    /** Returns the scope: the kind of thing that is locked. */
    public String scope() {
        return request.targets().get(0).scope();
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
                        && key.equals(that.key)
                        && condition.equals(that.condition)
                        && owner.equals(that.owner)
                        && whenBusy == that.whenBusy
                        && onTimeout.equals(that.onTimeout);
    }

    @Override
    public int hashCode() {
        return Objects.hash(request, key, condition, owner, whenBusy, onTimeout);
    }

    /** Names the request and the settings that differ from those of {@link #of}, for people. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "LockAttribute[", "]").add(request.toString());
        add(text, "key", key.isEmpty() ? "" : key.toString());
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
