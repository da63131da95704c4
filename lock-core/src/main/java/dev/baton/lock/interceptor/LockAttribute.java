package dev.baton.lock.interceptor;

import dev.baton.lock.LockNames;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTarget;
import dev.baton.lock.WhenBusy;
import java.util.List;

/**
 * The lock of a method as it was declared: what every call asks for, and how to find what differs from call to call.
 * Immutable.
 *
 * <pre>{@code
 * LockAttribute.of(LockRequest.of("order").expire(ofSeconds(10))).key("#id")
 * }</pre>
 *
 * @param request what every call asks for; with key expressions its scope only, and its key is replaced
 * @param key SpEL expressions, each a part of the key; empty: the key of the request
 * @param condition SpEL; false: the method runs without the lock; empty: it never does
 * @param owner SpEL for who asks; empty: the owner of the request, by default the calling thread
 * @param whenBusy what happens if the lock is not granted in time and there is no {@code onTimeout}
 * @param onTimeout what is called if the lock is not granted in time: the name of a method of the same bean, or SpEL that
 *     begins with {@code @bean}; empty: nothing
 */
public record LockAttribute(
        LockRequest request, List<String> key, String condition, String owner, WhenBusy whenBusy, String onTimeout) {

    /**
     * Creates the attribute.
     *
     * @throws IllegalArgumentException if key or owner are given twice, or there are two answers to a busy lock
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

    /** The same request for every call; a busy lock fails the call. */
    public static LockAttribute of(LockRequest request) {
        return new LockAttribute(request, List.of(), "", "", WhenBusy.FAIL, "");
    }

    /** The same with these parts of a key, each a SpEL expression. */
    public LockAttribute key(String... expressions) {
        return new LockAttribute(request, List.of(expressions), condition, owner, whenBusy, onTimeout);
    }

    /** The same taking the lock only if this SpEL expression is true. */
    public LockAttribute condition(String expression) {
        return new LockAttribute(request, key, expression, owner, whenBusy, onTimeout);
    }

    /** The same on behalf of the owner that this SpEL expression names. */
    public LockAttribute owner(String expression) {
        return new LockAttribute(request, key, condition, expression, whenBusy, onTimeout);
    }

    /** The same with this answer to a busy lock. */
    public LockAttribute whenBusy(WhenBusy answer) {
        return new LockAttribute(request, key, condition, owner, answer, onTimeout);
    }

    /** The same calling this method of the bean, or evaluating this SpEL that begins with {@code @bean}, for a busy lock. */
    public LockAttribute onTimeout(String handler) {
        return new LockAttribute(request, key, condition, owner, whenBusy, handler);
    }

    /** What kind of thing is locked. */
    public String scope() {
        return request.targets().get(0).scope();
    }

    /** Whether something else than a method of the same bean is called for a busy lock. */
    public boolean isTimeoutExpression() {
        return onTimeout.startsWith("@");
    }
}
