package dev.baton.lock.interceptor.expression;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Operation;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * Rejects {@code null} as an operand of {@code +}. SpEL converts {@code null} to the text "null", and all such calls
 * would share one lock.
 *
 * <p>SpEL consults no {@link OperatorOverloader} for a {@code +} with a text operand. SpEL consults one for a {@code -}
 * with operands other than numbers. Both operators have the same precedence and grouping. So {@code a + b} is evaluated
 * as {@code a - #plus - b}: the first minus receives a and keeps it, the second receives b and adds it. SpEL evaluates
 * each operand once, wherever the operand is in the expression. Thread-safe.
 */
final class CheckedPlus implements OperatorOverloader {

    static final CheckedPlus OVERLOADER = new CheckedPlus();

    /** Not the name of a parameter: Java leaves the dollar sign to generated names. */
    private static final String VARIABLE = "$plus";

    private static final EvaluationContext ADDING = new StandardEvaluationContext();

    private CheckedPlus() {}

    /**
     * Parses an expression whose value names something.
     *
     * @param source the place of the expression, for messages
     */
    static LockExpression parse(SpelExpressionParser parser, String attribute, String text, String source) {
        SpelExpression parsed = parser.parseRaw(text);
        Map<Integer, SpelNode> plusByPosition = new TreeMap<>();
        if (text.indexOf('+') >= 0) {
            collect(parsed.getAST(), plusByPosition);
        }
        if (plusByPosition.isEmpty()) {
            return new LockExpression(parsed, text, source);
        }
        StringBuilder checked = new StringBuilder();
        Map<String, Object> variables = new HashMap<>();
        int copied = 0;
        for (Map.Entry<Integer, SpelNode> plus : plusByPosition.entrySet()) {
            String variable = VARIABLE + variables.size();
            variables.put(variable, new Plus(plus.getValue(), attribute, source));
            checked.append(text, copied, plus.getKey())
                    .append(" - #")
                    .append(variable)
                    .append(" - ");
            copied = plus.getKey() + 1;
        }
        checked.append(text, copied, text.length());
        return new LockExpression(parser.parseRaw(checked.toString()), text, source, Map.copyOf(variables));
    }

    /**
     * Collects each plus by its position: that of the node is that of its operator. A plus with one operand is a sign.
     */
    private static void collect(SpelNode node, Map<Integer, SpelNode> plusByPosition) {
        if (node instanceof OpPlus && node.getChildCount() == 2) {
            plusByPosition.put(node.getStartPosition(), node);
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            collect(node.getChild(i), plusByPosition);
        }
    }

    @Override
    public boolean overridesOperation(Operation operation, @Nullable Object left, @Nullable Object right) {
        return operation == Operation.SUBTRACT && (right instanceof Plus || left instanceof Half);
    }

    @Override
    public Object operate(Operation operation, @Nullable Object left, @Nullable Object right) {
        if (right instanceof Plus plus) {
            return new Half(plus, plus.present(left, 0));
        }
        if (left instanceof Half half) {
            return half.add(right);
        }
        throw new IllegalStateException("asked about " + operation + " of others than " + VARIABLE);
    }

    /** A plus and its place. */
    private record Plus(SpelNode node, String attribute, String source) {

        Object present(@Nullable Object operand, int index) {
            if (operand != null) {
                return operand;
            }
            throw new IllegalArgumentException(source + ": "
                    + node.getChild(index).toStringAST()
                    + " is null, and + would turn it into the text \"null\", which all such calls would share; check the value"
                    + " before the lock is acquired"
                    + (attribute.equals("key")
                            ? ", and write the parts apart, as in key = {\"'order'\", \"#id\"}"
                            : ""));
        }
    }

    /** A plus and its first operand. */
    private record Half(Plus plus, Object left) {

        Object add(@Nullable Object right) {
            OpPlus sum = new OpPlus(0, 0, new Value(left), new Value(plus.present(right, 1)));
            return Objects.requireNonNull(
                    sum.getValueInternal(new ExpressionState(ADDING)).getValue());
        }
    }

    /** An operand that has been evaluated. */
    private static final class Value extends SpelNodeImpl {

        private final TypedValue value;

        Value(Object value) {
            super(0, 0);
            this.value = new TypedValue(value);
        }

        @Override
        public TypedValue getValueInternal(ExpressionState state) {
            return value;
        }

        @Override
        public String toStringAST() {
            return String.valueOf(value.getValue());
        }
    }
}
