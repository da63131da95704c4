package dev.baton.lock.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Determines the scope of a method that declares none. */
final class DefaultScope {

    private DefaultScope() {}

    /**
     * Names the executed method by the class of the bean. Where that is impossible, names the method that carries the
     * annotation. The name of a lambda or a proxy differs between processes, and a class that all repositories share
     * executes their methods.
     *
     * @param executed the method that a call on the bean executes
     * @param annotated the method that carries the annotation, possibly the same method
     */
    static String of(Method executed, Method annotated, @Nullable Class<?> targetClass) {
        if (targetClass == null
                || targetClass.isHidden()
                || Proxy.isProxyClass(targetClass)
                || !executed.getDeclaringClass().isAssignableFrom(targetClass)) {
            return name(annotated, annotated.getDeclaringClass());
        }
        return name(executed, ClassUtils.getUserClass(targetClass));
    }

    private static String name(Method method, Class<?> owner) {
        String name = owner.getName() + "." + method.getName();
        return isOverloaded(method, owner) ? name + parameterTypes(method) : name;
    }

    private static boolean isOverloaded(Method method, Class<?> owner) {
        return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(owner))
                        .filter(other -> other.getName().equals(method.getName()))
                        .filter(other -> !other.isBridge() && !other.isSynthetic())
                        .limit(2)
                        .count()
                > 1;
    }

    private static String parameterTypes(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getTypeName)
                .collect(Collectors.joining(",", "(", ")"));
    }
}
