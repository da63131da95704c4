package dev.baton.lock.interceptor.fallback;

import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.interceptor.LockDefinitionException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/** Finds the method that answers for another method whose lock is busy. */
public final class TimeoutMethods {

    private static final String ATTRIBUTE = "onTimeout";

    private final Class<?> type;
    private final Method method;
    private final String name;

    public TimeoutMethods(Class<?> type, Method method, String name) {
        this.type = type;
        this.method = method;
        this.name = name;
    }

    /**
     * Finds the method.
     *
     * @throws LockDefinitionException if no method fits, or more than one
     */
    public Method find() {
        List<Method> named = named();
        List<Method> fitting = named.stream().filter(this::hasParameters).toList();
        if (fitting.isEmpty()) {
            throw named.isEmpty() ? unknown() : otherParameters();
        }
        if (fitting.size() > 1) {
            throw error(
                    "the class has both " + name + "(" + parameters()
                            + ") and one with a LockTimeoutException after them",
                    "Keep one of them");
        }
        Method handler = fitting.get(0);
        if (handler.equals(method)) {
            throw error(
                    "'" + name + "' is the method itself, which would then run without its lock",
                    "Name another method");
        }
        checkReturnType(handler);
        checkExceptions(handler);
        return handler;
    }

    private List<Method> named() {
        List<Method> named = new ArrayList<>();
        for (Method candidate : ReflectionUtils.getUniqueDeclaredMethods(type)) {
            if (candidate.getName().equals(name) && !candidate.isBridge() && !candidate.isSynthetic()) {
                named.add(candidate);
            }
        }
        return named;
    }

    private boolean hasParameters(Method candidate) {
        int count = method.getParameterCount();
        boolean takesTimeout = candidate.getParameterCount() == count + 1
                && candidate.getParameterTypes()[count] == LockTimeoutException.class;
        if (candidate.getParameterCount() != count && !takesTimeout) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (parameter(candidate, i) != parameter(method, i)) {
                return false;
            }
        }
        return true;
    }

    private Class<?> parameter(Method of, int index) {
        return ResolvableType.forMethodParameter(of, index, type).resolve(of.getParameterTypes()[index]);
    }

    private void checkReturnType(Method handler) {
        ResolvableType wanted = ResolvableType.forMethodReturnType(method, type);
        ResolvableType given = ResolvableType.forMethodReturnType(handler, type);
        Class<?> wantedClass = wanted.resolve(method.getReturnType());
        Class<?> givenClass = given.resolve(handler.getReturnType());
        boolean fits = wantedClass == void.class
                || (wantedClass.isPrimitive() || givenClass.isPrimitive()
                        ? wantedClass == givenClass
                        : wanted.isAssignableFrom(given));
        if (!fits) {
            throw error(
                    name + "(..) returns " + given + ", and the method " + wanted,
                    "Have " + name + "(..) return " + wanted + ", since its result is what the caller gets");
        }
    }

    private void checkExceptions(Method handler) {
        for (Class<?> thrown : handler.getExceptionTypes()) {
            boolean declared = Arrays.stream(method.getExceptionTypes()).anyMatch(own -> own.isAssignableFrom(thrown));
            boolean unchecked = RuntimeException.class.isAssignableFrom(thrown) || Error.class.isAssignableFrom(thrown);
            if (!declared && !unchecked) {
                throw error(
                        name + "(..) declares " + thrown.getName() + ", which the method does not",
                        "Declare it on the method too, or have " + name + "(..) throw an unchecked exception");
            }
        }
    }

    private LockDefinitionException unknown() {
        return error(
                "the class has no method '" + name + "'",
                "Write a method " + name + "(" + parameters()
                        + "), optionally with a LockTimeoutException after these, or name one of another bean as"
                        + " \"@bean.method(#id)\"");
    }

    private LockDefinitionException otherParameters() {
        return error(
                "the class has a method '" + name + "', but not with the parameters (" + parameters() + ")",
                "Give it the same parameters as the method, optionally with a LockTimeoutException after them");
    }

    private String parameters() {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
    }

    private LockDefinitionException error(String problem, String action) {
        return new LockDefinitionException(type, method, ATTRIBUTE, problem, action);
    }
}
