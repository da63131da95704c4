package dev.baton.lock.interceptor.validation;

import dev.baton.lock.interceptor.LockDefinitionException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Checks that everything an expression names exists. Rejects a bare word, because the author meant a parameter or a
 * text.
 */
final class LockReferences {

    private static final Set<String> ROOT_PROPERTIES = Set.of("method", "target", "targetClass", "args");
    private static final Set<String> PREDEFINED_VARIABLES = Set.of("root", "this");
    private static final Pattern POSITION = Pattern.compile("[pa](\\d{1,3})");

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
    LockReferences(Class<?> type, Method method, String attribute, @Nullable List<String> names) {
        this.type = type;
        this.method = method;
        this.attribute = attribute;
        this.names = names;
    }

    void check(String text, SpelNode root) {
        check(text, root, true, true);
    }

    /**
     * Checks a node and the nodes below it.
     *
     * @param onRoot whether a word here has no object in front, so that SpEL would look for a property of the root
     * @param rootInScope whether words in arguments refer to the root; {@code false} inside a projection or selection
     */
    private void check(String text, SpelNode node, boolean onRoot, boolean rootInScope) {
        if (node instanceof VariableReference) {
            checkVariable(text, node.toStringAST().substring(1));
        } else if (node instanceof FunctionReference) {
            throw error(
                    "'" + text + "' calls a function, " + node.toStringAST() + ", and none are defined",
                    "Call a method of a bean instead, as \"@bean.method(#id)\"");
        } else if (onRoot && node instanceof PropertyOrFieldReference word) {
            checkWord(text, word.getName());
        } else if (onRoot && node instanceof MethodReference call) {
            throw error(
                    "'" + text + "' calls " + call.getName() + "(..) on nothing",
                    "Write \"#root.target." + call.getName() + "(..)\" for a public method of the bean itself, or"
                            + " \"@bean." + call.getName() + "(..)\" for that of another");
        }
        boolean elements = node instanceof Projection || node instanceof Selection;
        for (int i = 0; i < node.getChildCount(); i++) {
            check(
                    text,
                    node.getChild(i),
                    isChildOnRoot(node, i, onRoot, rootInScope) && !elements,
                    rootInScope && !elements);
        }
    }

    private static boolean isChildOnRoot(SpelNode node, int index, boolean onRoot, boolean rootInScope) {
        if (node instanceof CompoundExpression) {
            return onRoot && index == 0;
        }
        if (node instanceof Indexer || node instanceof InlineMap) {
            // a word in an index or a map is the key of a map
            return false;
        }
        return node instanceof MethodReference ? rootInScope : onRoot;
    }

    private void checkWord(String text, String word) {
        String remedy;
        if (names != null && names.contains(word)) {
            remedy = "Write \"#" + word + "\" for the parameter";
        } else if (ROOT_PROPERTIES.contains(word)) {
            remedy = "Write \"#root." + word + "\" for that of the call, or \"'" + word + "'\" for the text";
        } else {
            remedy = "Write \"'" + word + "'\" for the text, or \"#name\" for a parameter";
        }
        throw error("'" + text + "' has the bare word '" + word + "', which names nothing", remedy);
    }

    private void checkVariable(String text, String name) {
        if (PREDEFINED_VARIABLES.contains(name) || (names != null && names.contains(name))) {
            return;
        }
        int count = method.getParameterCount();
        int position = position(name);
        if (position >= 0 && position < count) {
            return;
        }
        if (count == 0) {
            throw error(
                    "'" + text + "' uses #" + name + ", but the method has no parameters",
                    (attribute.equals("key") ? "Leave the key out for a single lock, or use" : "Use")
                            + " #root or @bean");
        }
        if (names == null && position < 0) {
            throw error(
                    "'" + text + "' uses #" + name + ", but the names of the parameters are not in the class file",
                    "Compile with -parameters (in Kotlin -java-parameters, or add kotlin-reflect), or write #p0 for the first"
                            + " parameter");
        }
        throw error(
                "'" + text + "' uses #" + name + ", which is not a parameter of the method",
                "Use one of " + known(count));
    }

    /** Returns the position of a parameter that is named by it, as {@code p0} or {@code a0}; -1 for other names. */
    static int position(String name) {
        Matcher position = POSITION.matcher(name);
        return position.matches() ? Integer.parseInt(position.group(1)) : -1;
    }

    private String known(int count) {
        List<String> known =
                names == null ? IntStream.range(0, count).mapToObj(i -> "p" + i).toList() : names;
        return known.stream().map(name -> "#" + name).collect(Collectors.joining(", "));
    }

    private LockDefinitionException error(String problem, String action) {
        return new LockDefinitionException(type, method, attribute, problem, action);
    }
}
