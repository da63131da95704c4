package dev.baton.lock.interceptor;

import dev.baton.lock.LockKeyPart;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.AnnotatedElementKey;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionParser;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Evaluates the key of a call. The expressions of a method are parsed at its first call. Thread-safe. */
final class LockKeyEvaluator {

    private final ExpressionParser parser = new SpelExpressionParser();
    private final ParameterNameDiscoverer parameterNames = new DefaultParameterNameDiscoverer();
    private final Map<AnnotatedElementKey, ParsedKey> parsedKeys = new ConcurrentHashMap<>(64);
    private final BeanFactoryResolver beans;

    LockKeyEvaluator(BeanFactory beanFactory) {
        this.beans = new BeanFactoryResolver(beanFactory);
    }

    /**
     * Returns the parts of the key; empty if the attribute has no key expressions.
     *
     * @throws IllegalArgumentException if a value cannot be part of a key; names the expression
     */
    List<String> evaluate(LockAttribute attribute, MethodInvocation invocation, @Nullable Class<?> targetClass) {
        if (attribute.key().isEmpty()) {
            return List.of();
        }
        Method invoked = invocation.getMethod();
        ParsedKey key = parsedKeys.computeIfAbsent(
                new AnnotatedElementKey(invoked, targetClass), k -> parse(attribute, invoked, targetClass));
        EvaluationContext context = context(key.method(), invocation, targetClass);
        List<String> parts = new ArrayList<>(key.parts().size());
        for (ParsedPart part : key.parts()) {
            parts.add(part.evaluate(context));
        }
        return parts;
    }

    private EvaluationContext context(Method method, MethodInvocation invocation, @Nullable Class<?> targetClass) {
        @Nullable Object[] arguments = invocation.getArguments();
        LockExpressionRoot root = new LockExpressionRoot(method, invocation.getThis(), targetClass, arguments);
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(root, method, arguments, parameterNames);
        context.setBeanResolver(beans);
        return context;
    }

    private ParsedKey parse(LockAttribute attribute, Method invoked, @Nullable Class<?> targetClass) {
        Method executed = AopUtils.getMostSpecificMethod(invoked, targetClass);
        // the class of a proxy knows no parameter names, its interface does
        Method named = parameterNames.getParameterNames(executed) == null ? invoked : executed;
        String place = " of " + named.getDeclaringClass().getSimpleName() + "." + named.getName() + "(..)";
        return new ParsedKey(
                named,
                attribute.key().stream()
                        .map(text -> new ParsedPart(parser.parseExpression(text), "key '" + text + "'" + place))
                        .toList());
    }

    /** The key of a method, whose parameter names it uses. */
    private record ParsedKey(Method method, List<ParsedPart> parts) {}

    /**
     * One part of a key.
     *
     * @param source the expression and its method, for messages
     */
    private record ParsedPart(Expression expression, String source) {

        String evaluate(EvaluationContext context) {
            Object value = value(context);
            refuseSeveral(value);
            return LockKeyPart.of(value, source);
        }

        private @Nullable Object value(EvaluationContext context) {
            try {
                return expression.getValue(context);
            } catch (EvaluationException ex) {
                throw new IllegalArgumentException(
                        source + " cannot be evaluated: " + ex.getMessage()
                                + "; correct the expression, or check the arguments before the lock is taken",
                        ex);
            }
        }

        private void refuseSeveral(@Nullable Object value) {
            int size;
            if (value instanceof Collection<?> collection) {
                size = collection.size();
            } else if (value instanceof Map<?, ?> map) {
                size = map.size();
            } else if (value != null && value.getClass().isArray()) {
                size = Array.getLength(value);
            } else {
                return;
            }
            throw new IllegalArgumentException(
                    source + " is a " + value.getClass().getTypeName() + " with " + size
                            + " elements: several locks at once are not supported yet; give one value, or call the method for"
                            + " each element");
        }
    }
}
