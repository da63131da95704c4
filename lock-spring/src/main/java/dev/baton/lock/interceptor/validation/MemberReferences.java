package dev.baton.lock.interceptor.validation;

import dev.baton.lock.interceptor.LockDefinitionException;
import dev.baton.lock.interceptor.expression.LockExpressionRoot;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NativeDetector;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Checks the properties and methods that an expression reads from a parameter or from {@code #root}, step by step:
 * {@code #order.customer.name}. Follows the declared types, and stops where a type is unknown: at an index, a
 * projection, a map, a generic type.
 *
 * <p>A value may be of a subclass of its declared type, and have more members. So a missing member is rejected if the
 * type has no subclasses, or if the type has a member of a similar name, which makes a typing error likely. Otherwise
 * the evaluation decides.
 */
final class MemberReferences {

    private static final Logger logger = LoggerFactory.getLogger(MemberReferences.class);

    private final Class<?> type;
    private final Method method;
    private final String attribute;
    private final @Nullable List<String> names;

    /**
     * Creates the check.
     *
     * @param attribute the attribute that has the expressions
     * @param names the names of the parameters, or {@code null} if they were not compiled in
     */
    MemberReferences(Class<?> type, Method method, String attribute, @Nullable List<String> names) {
        this.type = type;
        this.method = method;
        this.attribute = attribute;
        this.names = names;
    }

    /** Checks nothing in a native image, where reflection finds only the members that hints name. */
    void check(String text, SpelNode root) {
        if (!NativeDetector.inNativeImage()) {
            checkBelow(text, root);
        }
    }

    private void checkBelow(String text, SpelNode node) {
        if (node instanceof CompoundExpression && node.getChild(0) instanceof VariableReference variable) {
            try {
                checkSteps(text, node, variable.toStringAST().substring(1));
            } catch (LinkageError | TypeNotPresentException ex) {
                logger.debug("The members in '{}' of {} cannot be looked at", text, method, ex);
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            checkBelow(text, node.getChild(i));
        }
    }

    private void checkSteps(String text, SpelNode steps, String variable) {
        Class<?> owner = declared(variable);
        for (int i = 1; owner != null && i < steps.getChildCount(); i++) {
            owner = read(text, DeclaredMembers.of(owner), steps.getChild(i));
        }
    }

    /** Returns the type of a variable, or {@code null} if it is unknown. */
    private @Nullable Class<?> declared(String variable) {
        if (variable.equals("root")) {
            return LockExpressionRoot.class;
        }
        int named = names == null ? -1 : names.indexOf(variable);
        int index = named >= 0 ? named : LockReferences.position(variable);
        return index < 0 || index >= method.getParameterCount()
                ? null
                : DeclaredMembers.known(method.getGenericParameterTypes()[index], type);
    }

    /** Returns the type of what a step reads, or {@code null} if it is unknown. */
    private @Nullable Class<?> read(String text, DeclaredMembers members, SpelNode step) {
        if (step instanceof PropertyOrFieldReference property) {
            String name = property.getName();
            if (members.mayHaveProperty(name)) {
                return members.typeOfProperty(name);
            }
            reject(
                    members,
                    members.similarProperties(name),
                    "'" + text + "' reads '" + name + "', and " + title(members) + " has no such public property",
                    "Write the name of a public getter, field or accessor method",
                    "write ['" + name + "'] if only a subclass has it");
        } else if (step instanceof MethodReference call) {
            String name = call.getName();
            if (members.mayHaveMethod(name)) {
                return members.typeOfMethod(name);
            }
            reject(
                    members,
                    members.similarMethods(name),
                    "'" + text + "' calls " + name + "(..), and " + title(members) + " has no such public method",
                    "Write the name of a public method",
                    "call it in a method of a bean if only a subclass has it");
        }
        return null;
    }

    /** Rejects a missing member, unless values of a subclass may have it and no other member was likely meant. */
    private void reject(
            DeclaredMembers members, List<String> similar, String problem, String action, String ofSubclass) {
        if (!members.isClosed() && similar.isEmpty()) {
            return;
        }
        throw new LockDefinitionException(
                type,
                method,
                attribute,
                problem,
                SimilarNames.suggest(similar) + action + (members.isClosed() ? "" : ", or " + ofSubclass));
    }

    private static String title(DeclaredMembers members) {
        return members.owner() == LockExpressionRoot.class
                ? "#root"
                : members.owner().getName();
    }
}
