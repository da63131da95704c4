package dev.baton.lock.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.util.ClassUtils;

/**
 * Finds locks that cannot work: methods that no proxy intercepts, that return before their work is done, or whose key
 * cannot be evaluated. Thread-safe.
 */
final class LockDefinitionValidator {

    private final LockedMethods lockedMethods;
    private final LockKeyValidator keys;

    LockDefinitionValidator(LockedMethods lockedMethods) {
        this(lockedMethods, new DefaultParameterNameDiscoverer());
    }

    LockDefinitionValidator(LockedMethods lockedMethods, ParameterNameDiscoverer parameterNames) {
        this.lockedMethods = lockedMethods;
        this.keys = new LockKeyValidator(parameterNames);
    }

    /**
     * Checks all locks of a class.
     *
     * @param proxiedByClass whether a proxy is a subclass even if the class has interfaces
     * @throws LockDefinitionException if one cannot work
     */
    void validate(Class<?> type, boolean proxiedByClass) {
        Map<Method, LockAttribute> methods = lockedMethods.of(type);
        methods.forEach((method, attribute) -> {
            checkMethod(type, method);
            checkClass(type, method, proxiedByClass);
            LaterCompletion.check(type, method);
            keys.validate(type, method, attribute.key());
        });
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
