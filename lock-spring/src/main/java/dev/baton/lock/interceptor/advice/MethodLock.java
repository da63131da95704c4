package dev.baton.lock.interceptor.advice;

import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.async.AsyncInvocation;
import dev.baton.lock.interceptor.async.AsyncResultAdapter;
import dev.baton.lock.interceptor.async.AsyncResultAdapters;
import dev.baton.lock.interceptor.expression.LockExpression;
import dev.baton.lock.interceptor.expression.LockExpressions;
import dev.baton.lock.interceptor.expression.LockKeys;
import dev.baton.lock.interceptor.fallback.BusyHandler;
import dev.baton.lock.interceptor.fallback.EmptyResultHandler;
import dev.baton.lock.interceptor.fallback.TimeoutExpression;
import dev.baton.lock.interceptor.fallback.TimeoutMethod;
import dev.baton.lock.interceptor.fallback.TimeoutMethods;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;

/** Holds the locks of one method of one class, with their parsed expressions and the handler. Thread-safe. */
final class MethodLock {

    private final LockExpressions expressions;
    private final LockAttribute attribute;

    /** The method whose parameter names the expressions use. */
    private final Method named;

    private final @Nullable Class<?> targetClass;
    private final @Nullable LockExpression condition;

    /** {@code null} if every call has the same locks. */
    private final @Nullable LockKeys keys;

    private final @Nullable LockExpression owner;
    private final BusyHandler whenBusy;
    private final Class<?> returnType;

    /** {@code null} if the work is done when the method returns. */
    private final @Nullable AsyncResultAdapter later;

    MethodLock(
            LockExpressions expressions,
            LockAttribute attribute,
            Method named,
            Method executed,
            @Nullable Class<?> targetClass,
            AsyncResultAdapters asyncResults) {
        this.expressions = expressions;
        this.attribute = attribute;
        this.named = named;
        this.targetClass = targetClass;
        String when = attribute.condition();
        this.condition = when.isEmpty() ? null : expressions.parse("condition", when, named);
        String requester = attribute.owner();
        this.owner = requester.isEmpty() ? null : expressions.parseName("owner", requester, named);
        this.keys = LockKeys.parse(expressions, attribute.locks(), named);
        this.whenBusy = whenBusy(executed);
        Class<?> type = targetClass == null ? executed.getDeclaringClass() : targetClass;
        this.returnType = AsyncResultAdapters.returnType(type, executed);
        this.later = asyncResults.find(type, executed).orElse(null);
    }

    private BusyHandler whenBusy(Method executed) {
        Class<?> type = targetClass == null ? executed.getDeclaringClass() : targetClass;
        String handler = attribute.onTimeout();
        if (attribute.isTimeoutExpression()) {
            LockExpression expression = expressions.parse("onTimeout", handler, named);
            return new TimeoutExpression(expression, this::context, executed);
        }
        if (!handler.isEmpty()) {
            return new TimeoutMethod(new TimeoutMethods(type, executed, handler).find(), executed);
        }
        return switch (attribute.whenBusy()) {
            case FAIL -> BusyHandler.FAIL;
            case SKIP -> EmptyResultHandler.of(type, executed);
        };
    }

    /**
     * Returns the request of a call.
     *
     * @return the request, or {@code null} if the call is to run without the lock
     * @throws IllegalArgumentException if an expression has an unusable value; the message names the expression
     */
    @Nullable
    LockRequest request(MethodInvocation invocation) {
        LockRequest request = attribute.request();
        if (condition == null && keys == null && owner == null) {
            return request;
        }
        EvaluationContext context = context(invocation);
        if (condition != null && !condition.isTrue(context)) {
            return null;
        }
        if (keys != null) {
            request = keys.request(request, context);
        }
        return owner == null ? request : request.owner(owner.text(context));
    }

    /**
     * Returns the adapter for a method whose work continues after it has returned, or {@code null} if the work is done
     * by then.
     */
    @Nullable
    AsyncResultAdapter later() {
        return later;
    }

    /** Returns a call for {@link #later()}. */
    AsyncInvocation laterCall(MethodInvocation invocation) {
        return new AsyncInvocation(invocation, whenBusy, returnType);
    }

    /** Answers a call whose lock was not granted in time. */
    @Nullable
    Object busy(MethodInvocation invocation, LockTimeoutException timeout) throws Throwable {
        return whenBusy.answer(invocation, timeout);
    }

    private EvaluationContext context(MethodInvocation invocation) {
        return expressions.context(named, invocation, targetClass);
    }
}
