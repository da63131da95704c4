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
 * @param variables the variables that the parsed expression needs in addition to those of every call
 */
public record LockExpression(Expression expression, String written, String source, Map<String, Object> variables) {

    LockExpression(Expression expression, String written, String source) {
        this(expression, written, source, Map.of());
    }

    /**
     * Evaluates the expression. Unchecked exceptions of a method that the expression calls are thrown unchanged.
     *
     * @throws IllegalArgumentException if the evaluation fails otherwise; the message names the expression
     */
    @Nullable
    Object value(EvaluationContext context) {
        variables.forEach(context::setVariable);
        try {
            return expression.getValue(context);
        } catch (EvaluationException ex) {
            throw new IllegalArgumentException(
                    source + " cannot be evaluated: " + ex.getMessage()
                            + "; correct the expression, or check the arguments before the lock is acquired",
                    ex);
        }
    }

    /**
     * Evaluates the expression to the text that identifies one thing.
     *
     * @throws IllegalArgumentException if the value is {@code null}, blank, or does not identify one thing
     */
    public String text(EvaluationContext context) {
        return LockKeyPart.of(value(context), source);
    }

    /**
     * Evaluates the expression to {@code true} or {@code false}.
     *
     * @throws IllegalArgumentException if the value is anything else
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
