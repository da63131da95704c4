package dev.baton.lock.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A method is declared to have a lock that cannot work. Found at start-up, or when the bean is created. */
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
     * @param beanClass the class of the bean whose method it is
     * @param attribute the attribute that is wrong; null: the method itself cannot have a lock
     * @param problem what is wrong, with the values; without a full stop
     * @param action what to do, imperative; without a full stop
     */
    public LockDefinitionException(
            Class<?> beanClass, Method method, @Nullable String attribute, String problem, String action) {
        this(beanClass, method, attribute, problem, action, null);
    }

    /** Creates the exception with what made it known. */
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

    /** The class of the bean. */
    public Class<?> getBeanClass() {
        return beanClass;
    }

    /** The method with its parameter types, {@code close(Order, long)}. */
    public String getMethodSignature() {
        return methodSignature;
    }

    /** The attribute that is wrong; empty if the method itself cannot have a lock. */
    public Optional<String> getAttribute() {
        return Optional.ofNullable(attribute);
    }

    /** What is wrong, without the place. */
    public String getProblem() {
        return problem;
    }

    /** The place and what is wrong, for a failure analysis. */
    public String getDescription() {
        return describe(beanClass, methodSignature, attribute, problem) + ".";
    }

    /** What to do, imperative, for a failure analysis. */
    public String getAction() {
        return action + ".";
    }
}
