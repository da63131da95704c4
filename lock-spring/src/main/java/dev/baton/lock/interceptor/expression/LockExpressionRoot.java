package dev.baton.lock.interceptor.expression;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** The {@code #root} object of key expressions. Expressions read its properties by reflection. */
public final class LockExpressionRoot {

    private final Method method;
    private final @Nullable Object target;
    private final @Nullable Class<?> targetClass;
    private final @Nullable Object[] args;

    LockExpressionRoot(
            Method method, @Nullable Object target, @Nullable Class<?> targetClass, @Nullable Object[] args) {
        this.method = method;
        this.target = target;
        this.targetClass = targetClass;
        this.args = args;
    }

    public Method getMethod() {
        return method;
    }

    public @Nullable Object getTarget() {
        return target;
    }

    public @Nullable Class<?> getTargetClass() {
        return targetClass;
    }

    public @Nullable Object[] getArgs() {
        return args;
    }
}
