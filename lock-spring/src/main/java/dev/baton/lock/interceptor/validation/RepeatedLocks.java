package dev.baton.lock.interceptor.validation;

import dev.baton.lock.interceptor.DeclaredLock;
import dev.baton.lock.interceptor.LockDefinitionException;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * Rejects a method that declares the same lock twice. Locks whose expressions differ may still have the same name in a
 * call, which then acquires it once. Thread-safe.
 */
final class RepeatedLocks {

    private final SpelExpressionParser parser = new SpelExpressionParser();

    /** Checks the locks of a method, whose expressions have been found to parse. */
    void check(Class<?> type, Method method, List<DeclaredLock> locks) {
        if (locks.size() == 1) {
            return;
        }
        Set<Identity> known = new HashSet<>();
        for (DeclaredLock lock : locks) {
            Identity identity = identity(lock);
            if (!known.add(identity)) {
                throw new LockDefinitionException(
                        type,
                        method,
                        "key",
                        "the lock '" + identity.title() + "' is declared twice",
                        "Remove one of the two, or give it another scope or key");
            }
        }
    }

    private Identity identity(DeclaredLock lock) {
        return lock.key().isEmpty()
                ? new Identity(
                        lock.scope(),
                        lock.target().keyParts().stream()
                                .map(RepeatedLocks::literal)
                                .toList())
                : new Identity(lock.scope(), lock.key().stream().map(this::part).toList());
    }

    /** Returns the same text for expressions that differ in nothing but white space, and for equal literals. */
    private String part(String expression) {
        SpelNode root = parser.parseRaw(expression).getAST();
        return root instanceof Literal literal
                ? literal(String.valueOf(literal.getLiteralValue().getValue()))
                : root.toStringAST();
    }

    private static String literal(String text) {
        return "'" + text + "'";
    }

    /**
     * The scope and key by which declared locks are compared.
     *
     * @param key the parts: expressions, and texts in quotes
     */
    private record Identity(String scope, List<String> key) {

        String title() {
            return key.stream()
                    .map(part -> part.startsWith("'") ? part.substring(1, part.length() - 1) : part)
                    .collect(Collectors.joining(":", scope + ".", ""));
        }
    }
}
