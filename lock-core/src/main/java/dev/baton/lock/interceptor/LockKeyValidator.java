package dev.baton.lock.interceptor;

import java.lang.reflect.Method;
import java.util.List;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Finds key expressions that no call could evaluate. Thread-safe. */
final class LockKeyValidator {

    private final SpelExpressionParser parser = new SpelExpressionParser();
    private final ParameterNameDiscoverer parameterNames;

    LockKeyValidator(ParameterNameDiscoverer parameterNames) {
        this.parameterNames = parameterNames;
    }

    void validate(Class<?> type, Method method, List<String> key) {
        LockKeyReferences references = new LockKeyReferences(type, method, parameterNames.getParameterNames(method));
        for (String text : key) {
            if (text.isBlank()) {
                throw error(
                        type,
                        method,
                        "a part of the key is blank",
                        "Write an expression such as \"#id\" or \"'daily'\", or leave the key out for a single lock");
            }
            SpelNode root = parse(type, method, text).getAST();
            if (root instanceof InlineList || root instanceof InlineMap) {
                throw error(
                        type,
                        method,
                        "'" + text + "' stands for several locks at once, which are not supported yet",
                        "Give one value; for one lock whose key has several parts write key = {\"#a\", \"#b\"}");
            }
            references.check(text, root);
        }
    }

    private SpelExpression parse(Class<?> type, Method method, String text) {
        try {
            Expression expression = parser.parseExpression(text);
            return (SpelExpression) expression;
        } catch (ParseException | IllegalStateException ex) {
            throw new LockDefinitionException(
                    type,
                    method,
                    "key",
                    "'" + text + "' is no SpEL expression (" + ex.getMessage() + ")",
                    "Write a parameter as \"#id\", a property of it as \"#order.id\", a text in its own quotes as \"'daily'\"",
                    ex);
        }
    }

    private static LockDefinitionException error(Class<?> type, Method method, String problem, String action) {
        return new LockDefinitionException(type, method, "key", problem, action);
    }
}
