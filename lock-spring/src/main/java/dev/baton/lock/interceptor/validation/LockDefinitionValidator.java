package dev.baton.lock.interceptor.validation;

import dev.baton.lock.WhenBusy;
import dev.baton.lock.interceptor.InterfaceMethods;
import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.LockDefinitionException;
import dev.baton.lock.interceptor.LockedMethods;
import dev.baton.lock.interceptor.async.AsyncResultAdapters;
import dev.baton.lock.interceptor.fallback.EmptyResultHandler;
import dev.baton.lock.interceptor.fallback.TimeoutMethods;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.util.ClassUtils;

/**
 * Finds locks that cannot work. Rejects methods that no proxy intercepts or that return before their work is done. Also
 * rejects expressions that cannot be evaluated, the same lock twice, and unsuitable answers to a busy lock.
 * Thread-safe.
 */
public final class LockDefinitionValidator {

    private final LockedMethods lockedMethods;
    private final LockExpressionValidator expressions;
    private final RepeatedLocks repeated = new RepeatedLocks();
    private final AsyncResultAdapters asyncResults;

    public LockDefinitionValidator(LockedMethods lockedMethods) {
        this(lockedMethods, () -> null);
    }

    /**
     * Creates the validator.
     *
     * @param beanFactory supplies the bean factory in which expressions and results find beans, or {@code null} if
     *     there is none
     */
    public LockDefinitionValidator(LockedMethods lockedMethods, Supplier<? extends @Nullable BeanFactory> beanFactory) {
        this(lockedMethods, beanFactory, new DefaultParameterNameDiscoverer());
    }

    public LockDefinitionValidator(
            LockedMethods lockedMethods,
            Supplier<? extends @Nullable BeanFactory> beanFactory,
            ParameterNameDiscoverer parameterNames) {
        this.asyncResults = new AsyncResultAdapters(beanFactory);
        this.lockedMethods = lockedMethods;
        this.expressions = new LockExpressionValidator(parameterNames, beanFactory);
    }

    /**
     * Checks all locks of a class.
     *
     * @param proxiedByClass whether a proxy is a subclass even if the class has interfaces
     * @throws LockDefinitionException if one of the locks cannot work
     */
    public void validate(Class<?> type, boolean proxiedByClass) {
        Map<Method, LockAttribute> methods = lockedMethods.of(type);
        methods.forEach((method, attribute) -> {
            checkMethod(type, method);
            checkClass(type, method, proxiedByClass);
            AsyncReturnTypeValidator.check(type, method, attribute, asyncResults);
            LazyReturnTypeValidator.check(type, method);
            expressions.validate(type, method, attribute);
            repeated.check(type, method, attribute.locks());
            checkWhenBusy(type, method, attribute);
        });
    }

    private void checkWhenBusy(Class<?> type, Method method, LockAttribute attribute) {
        if (attribute.whenBusy() == WhenBusy.SKIP) {
            EmptyResultHandler.of(type, method);
        }
        if (attribute.onTimeout().isEmpty() || attribute.isTimeoutExpression()) {
            return;
        }
        Method handler = new TimeoutMethods(type, method, attribute.onTimeout()).find();
        if (lockedMethods.of(type).containsKey(handler)) {
            throw new LockDefinitionException(
                    type,
                    method,
                    "onTimeout",
                    "'" + handler.getName() + "' has a lock of its own, and would be called without it, as on 'this'",
                    "Remove its lock (with @NoDistributedLock if the class has one), or move it to another bean and write"
                            + " \"@bean." + handler.getName() + "(..)\"");
        }
    }

    private static void checkMethod(Class<?> type, Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isStatic(modifiers)) {
            throw new LockDefinitionException(
                    type,
                    method,
                    null,
                    "the method is static, so it is not called on a bean and cannot be intercepted",
                    "Make it an instance method of a bean");
        }
        if (Modifier.isPrivate(modifiers)) {
            throw new LockDefinitionException(
                    type,
                    method,
                    null,
                    "the method is private, so it cannot be intercepted",
                    "Make it public and call it from another bean");
        }
        if (Modifier.isFinal(modifiers) && !Proxy.isProxyClass(type)) {
            throw new LockDefinitionException(
                    type,
                    method,
                    null,
                    "the method is final, so it cannot be intercepted",
                    "Remove 'final' (in Kotlin declare it 'open')");
        }
        if (isPackagePrivate(modifiers)
                && !method.getDeclaringClass().getPackageName().equals(type.getPackageName())) {
            throw new LockDefinitionException(
                    type,
                    method,
                    null,
                    "the method is package-private in "
                            + method.getDeclaringClass().getName()
                            + ", a class of another package, so it cannot be intercepted",
                    "Make it protected or public");
        }
    }

    private static boolean isPackagePrivate(int modifiers) {
        return !Modifier.isPublic(modifiers) && !Modifier.isProtected(modifiers);
    }

    private static void checkClass(Class<?> type, Method method, boolean proxiedByClass) {
        boolean closed = Modifier.isFinal(type.getModifiers()) || type.isSealed();
        if (!closed || Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type)) {
            return;
        }
        boolean hasInterface = !InterfaceMethods.implementedBy(
                        method, type, Arrays.asList(ClassUtils.getAllInterfacesForClass(type)))
                .isEmpty();
        if (proxiedByClass || !hasInterface) {
            throw new LockDefinitionException(
                    type,
                    method,
                    null,
                    "the class is " + (type.isSealed() ? "sealed" : "final")
                            + ", so it cannot have a proxy that takes the lock",
                    "Open the class to subclasses (in Kotlin 'open', or the kotlin-spring plugin), or declare the method in an"
                            + " interface and set spring.aop.proxy-target-class=false");
        }
    }
}
