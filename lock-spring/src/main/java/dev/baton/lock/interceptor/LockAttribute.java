package dev.baton.lock.interceptor;

import dev.baton.lock.LockNames;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTarget;
import dev.baton.lock.WhenBusy;
import java.util.List;

/**
 * The declared lock of a method: the request of every call, and the expressions for the parts that differ between
 * calls. Immutable.
 *
 * <pre>{@code
 * LockAttribute.of(LockRequest.of("order").expire(ofSeconds(10))).key("#id")
 * }</pre>
 *
 * @param request the request of every call; with key expressions it must have a scope only, and the expressions replace
 *     its key
 * @param key the SpEL expressions, each one part of the key; if empty, the key of the request applies
 * @param condition the SpEL condition; if {@code false}, the method runs without the lock; if empty, the lock is always
 *     acquired
 * @param owner the SpEL expression for the owner; if empty, the owner of the request applies, by default the calling
 *     thread
 * @param whenBusy what happens if the lock is not granted in time and there is no {@code onTimeout}
 * @param onTimeout the handler to call if the lock is not granted in time: the name of a method of the same bean, or
 *     SpEL that begins with {@code @bean}; empty if there is none
 */
public record LockAttribute(
        LockRequest request, List<String> key, String condition, String owner, WhenBusy whenBusy, String onTimeout) {

    /**
     * Creates the attribute.
     *
     * @throws IllegalArgumentException if the key or the owner is given twice, or if both {@link WhenBusy#SKIP} and
     *     {@code onTimeout} are given
     */
    public LockAttribute {
        key = List.copyOf(key);
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

    /** Returns a copy with these key parts, each a SpEL expression. */
    public LockAttribute key(String... expressions) {
        return new LockAttribute(request, List.of(expressions), condition, owner, whenBusy, onTimeout);
    }

    /** Returns a copy that acquires the lock only if this SpEL expression is true. */
    public LockAttribute condition(String expression) {
        return new LockAttribute(request, key, expression, owner, whenBusy, onTimeout);
    }

    /** Returns a copy that acquires the lock on behalf of the owner that this SpEL expression names. */
    public LockAttribute owner(String expression) {
        return new LockAttribute(request, key, condition, expression, whenBusy, onTimeout);
    }

    /** Returns a copy with this answer to a busy lock. */
    public LockAttribute whenBusy(WhenBusy answer) {
        return new LockAttribute(request, key, condition, owner, answer, onTimeout);
    }

    /**
     * Returns a copy with this handler for a busy lock: a method of the same bean, or SpEL that begins with
     * {@code @bean}.
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
}
