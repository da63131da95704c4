package dev.baton.lock.interceptor.fallback;

import dev.baton.lock.LockTimeoutException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/** Calls another method of the same bean with the arguments of the call, as a call on {@code this} would. */
public final class TimeoutMethod implements BusyHandler {

    private final Method handler;
    private final boolean takesTimeout;

    /** @param handler the method that {@link TimeoutMethods} found */
    public TimeoutMethod(Method handler, Method method) {
        this.handler = handler;
        this.takesTimeout = handler.getParameterCount() > method.getParameterCount();
        ReflectionUtils.makeAccessible(handler);
    }

    @Override
    public @Nullable Object answer(MethodInvocation invocation, LockTimeoutException timeout) throws Throwable {
        Object target = invocation.getThis();
        if (target == null) {
            throw new IllegalStateException(
                    "onTimeout '" + handler.getName()
                            + "' cannot be called: the bean is a proxy without an object behind it;" + " use \"@bean."
                            + handler.getName() + "(..)\"",
                    timeout);
        }
        @Nullable Object[] arguments = invocation.getArguments();
        if (takesTimeout) {
            arguments = Arrays.copyOf(arguments, arguments.length + 1);
            arguments[arguments.length - 1] = timeout;
        }
        try {
            return handler.invoke(target, arguments);
        } catch (InvocationTargetException ex) {
            throw withTimeout(ex.getTargetException(), timeout);
        }
    }

    /**
     * Returns the throwable of the handler, which takes precedence. Adds the time-out to show why the handler was
     * called.
     */
    static Throwable withTimeout(Throwable thrown, LockTimeoutException timeout) {
        if (thrown != timeout && thrown.getCause() != timeout) {
            thrown.addSuppressed(timeout);
        }
        return thrown;
    }
}
