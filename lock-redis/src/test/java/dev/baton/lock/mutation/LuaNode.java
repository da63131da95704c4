package dev.baton.lock.mutation;

import java.util.List;
import java.util.stream.Stream;

/**
 * A part of a parsed script.
 *
 * @param kind the kind of node
 * @param text the operator, or empty for a node without an operator
 * @param start the start in the source
 * @param end the end in the source, exclusive
 * @param children the parts in the order of the source, without parts that cannot be mutated
 */
record LuaNode(Kind kind, String text, int start, int end, List<LuaNode> children) {

    enum Kind {
        /** The condition of an if, elseif, while or until; one child. */
        CONDITION,
        /** An assignment to a declared variable; the last child is the value. */
        ASSIGNMENT,
        /** A call for its effect; one child. */
        CALL_STATEMENT,
        /** Any other statement, or a list of them. */
        STATEMENT,
        BINARY,
        UNARY,
        CALL,
        /** A named field of a new table. */
        FIELD,
        /** Any other expression. */
        EXPRESSION
    }

    boolean is(Kind wanted, String operator) {
        return kind == wanted && text.equals(operator);
    }

    String in(String source) {
        return source.substring(start, end);
    }

    /** Returns the operands of a chain of the operator of this node, for example three of {@code a and b and c}. */
    List<LuaNode> chain() {
        LuaNode left = children.get(0);
        Stream<LuaNode> front = left.is(Kind.BINARY, text) ? left.chain().stream() : Stream.of(left);
        return Stream.concat(front, Stream.of(children.get(1))).toList();
    }
}
