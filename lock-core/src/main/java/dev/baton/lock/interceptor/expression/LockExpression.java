package dev.baton.lock.interceptor.expression;

import dev.baton.lock.LockKeyPart;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;

/**
 * One parsed expression of a lock.
 *
 * @param written the expression as it was declared
 * @param source attribute, expression and method, for messages: {@code key '#id' of OrderService.close(..)}
 * @param variables what the parsed expression needs beside what every call offers
 */
public record LockExpression(Expression expression, String written, String source, Map<String, Object> variables) {

    LockExpression(Expression expression, String written, String source) {
        this(expression, written, source, Map.of());
    }

    /**
     * Evaluates it. What a method that it calls throws comes out as it is, if that is unchecked.
     *
     * @throws IllegalArgumentException if that fails otherwise; names the expression
     */
    @Nullable
    Object value(EvaluationContext context) {
        variables.forEach(context::setVariable);
        try {
            return expression.getValue(context);
        } catch (EvaluationException ex) {
            throw new IllegalArgumentException(
                    source + " cannot be evaluated: " + ex.getMessage()
                            + "; correct the expression, or check the arguments before the lock is taken",
                    ex);
        }
    }

    /**
     * Evaluates it to the text that stands for one thing.
     *
     * @throws IllegalArgumentException if it is null, blank, or no such thing
     */
    public String text(EvaluationContext context) {
        return LockKeyPart.of(value(context), source);
    }

    /**
     * Evaluates it to true or false.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public boolean isTrue(EvaluationContext context) {
        Object value = value(context);
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw new IllegalArgumentException(
                source + " is "
                        + (value == null ? "null" : "a " + value.getClass().getName())
                        + ", and only true and false say whether the lock is taken; write a comparison, such as \"#dryRun == false\"");
    }
}
