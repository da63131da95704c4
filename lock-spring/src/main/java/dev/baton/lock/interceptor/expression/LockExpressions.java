package dev.baton.lock.interceptor.expression;

import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Parses the expressions of locks, and defines what a call offers to them. Thread-safe. */
public final class LockExpressions {

    private final SpelExpressionParser parser = new SpelExpressionParser();
    private final ParameterNameDiscoverer parameterNames = new DefaultParameterNameDiscoverer();
    private final BeanFactoryResolver beans;

    public LockExpressions(BeanFactory beanFactory) {
        this.beans = new BeanFactoryResolver(beanFactory);
    }

    /** Returns whether the names of a method's parameters are known. */
    public boolean hasParameterNames(Method method) {
        return parameterNames.getParameterNames(method) != null;
    }

    /** Parses an expression of a method's lock. */
    public LockExpression parse(String attribute, String text, Method method) {
        return new LockExpression(parser.parseExpression(text), text, source(attribute, text, method));
    }

    /** Parses an expression whose value names a lock or an owner. */
    public LockExpression parseName(String attribute, String text, Method method) {
        return CheckedPlus.parse(parser, attribute, text, source(attribute, text, method));
    }

    private static String source(String attribute, String text, Method method) {
        return attribute + " '" + text + "' of " + method.getDeclaringClass().getSimpleName() + "." + method.getName()
                + "(..)";
    }

    /**
     * Creates the context that a call offers to expressions.
     *
     * @param method the method whose parameter names are used
     */
    public EvaluationContext context(Method method, MethodInvocation invocation, @Nullable Class<?> targetClass) {
        @Nullable Object[] arguments = invocation.getArguments();
        LockExpressionRoot root = new LockExpressionRoot(method, invocation.getThis(), targetClass, arguments);
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(root, method, arguments, parameterNames);
        context.setBeanResolver(beans);
        context.setOperatorOverloader(CheckedPlus.OVERLOADER);
        return context;
    }
}
