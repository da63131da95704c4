package dev.baton.lock.interceptor.fallback;

import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.interceptor.expression.LockExpression;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ExpressionInvocationTargetException;
import org.springframework.util.ClassUtils;

/** Calls a method of another bean through an expression. */
public final class TimeoutExpression implements BusyHandler {

    /** Provides the context that a call offers to the expression. */
    public interface Context {
        EvaluationContext of(MethodInvocation invocation);
    }

    private final LockExpression expression;
    private final Context context;
    private final Class<?> returned;

    public TimeoutExpression(LockExpression expression, Context context, Method method) {
        this.expression = expression;
        this.context = context;
        this.returned = method.getReturnType();
    }

    @Override
    public @Nullable Object answer(MethodInvocation invocation, LockTimeoutException timeout) throws Throwable {
        Object value;
        try {
            value = expression.expression().getValue(context.of(invocation));
        } catch (ExpressionInvocationTargetException ex) {
            throw TimeoutMethod.withTimeout(ex.getCause() == null ? ex : ex.getCause(), timeout);
        } catch (EvaluationException ex) {
            IllegalStateException failure = new IllegalStateException(
                    expression.source() + " cannot be evaluated: " + ex.getMessage() + "; correct the expression", ex);
            throw TimeoutMethod.withTimeout(failure, timeout);
        } catch (RuntimeException | Error ex) {
            throw TimeoutMethod.withTimeout(ex, timeout);
        }
        return fitting(value, timeout);
    }

    private @Nullable Object fitting(@Nullable Object value, LockTimeoutException timeout) {
        if (returned == void.class) {
            return null;
        }
        if (!ClassUtils.isAssignableValue(returned, value)) {
            throw new IllegalStateException(
                    expression.source() + " is "
                            + (value == null ? "null" : "a " + value.getClass().getName())
                            + ", and the method returns " + returned.getName() + "; have it return that",
                    timeout);
        }
        return value;
    }
}
