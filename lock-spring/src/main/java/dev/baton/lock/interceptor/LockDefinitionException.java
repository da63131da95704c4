package dev.baton.lock.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Thrown if the declared lock of a method cannot work. Detected at start-up, or when the bean is created. */
public class LockDefinitionException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final Class<?> beanClass;
    private final String methodSignature;
    private final @Nullable String attribute;
    private final String problem;
    private final String action;

    /**
     * Creates the exception with a message that names the place, the problem and the remedy.
     *
     * @param beanClass the class of the bean that has the method
     * @param attribute the attribute that is wrong, or {@code null} if the method itself cannot have a lock
     * @param problem what is wrong, with the values; without a full stop
     * @param action what to do, imperative; without a full stop
     */
    public LockDefinitionException(
            Class<?> beanClass, Method method, @Nullable String attribute, String problem, String action) {
        this(beanClass, method, attribute, problem, action, null);
    }

    /** Creates the exception with the cause that revealed the problem. */
    public LockDefinitionException(
            Class<?> beanClass,
            Method method,
            @Nullable String attribute,
            String problem,
            String action,
            @Nullable Throwable cause) {
        super(describe(beanClass, signature(method), attribute, problem) + ". " + action + ".", cause);
        this.beanClass = beanClass;
        this.methodSignature = signature(method);
        this.attribute = attribute;
        this.problem = problem;
        this.action = action;
    }

    private static String describe(Class<?> beanClass, String signature, @Nullable String attribute, String problem) {
        return "@DistributedLock on " + beanClass.getName() + "." + signature
                + (attribute == null ? "" : ", attribute '" + attribute + "'") + ": " + problem;
    }

    private static String signature(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", method.getName() + "(", ")"));
    }

    /** Returns the class of the bean. */
    public Class<?> beanClass() {
        return beanClass;
    }

    /** Returns the method with its parameter types, such as {@code close(Order, long)}. */
    public String methodSignature() {
        return methodSignature;
    }

    /** Returns the attribute that is wrong; empty if the method itself cannot have a lock. */
    public Optional<String> attribute() {
        return Optional.ofNullable(attribute);
    }

    /** Returns what is wrong, without the place. */
    public String problem() {
        return problem;
    }

    /** Returns the place and what is wrong, for a failure analysis. */
    public String description() {
        return describe(beanClass, methodSignature, attribute, problem) + ".";
    }

    /** Returns what to do, imperative, for a failure analysis. */
    public String action() {
        return action + ".";
    }
}
