package dev.baton.lock.mutation;

import java.util.List;
import java.util.stream.Stream;

/**
 * A part of a parsed script.
 *
 * @param kind what it is
 * @param text the operator, of an expression that has one; else empty
 * @param start where it begins in the source
 * @param end where it ends, exclusive
 * @param children its parts in the order of the source, as far as they can hold something to mutate
 */
record LuaNode(Kind kind, String text, int start, int end, List<LuaNode> children) {

    enum Kind {
        /** What an if, elseif, while or until asks; one child. */
        CONDITION,
        /** Not a declaration: a write to what was there before; its last child is the value. */
        ASSIGNMENT,
        /** A call for its effect; one child. */
        CALL_STATEMENT,
        /** Any other statement, or a list of them. */
        STATEMENT,
        BINARY,
        UNARY,
        CALL,
        /** A field with a name, of a table that is made. */
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

    /** The operands of a chain of this node's own operator: three of {@code a and b and c}. */
    List<LuaNode> chain() {
        LuaNode left = children.get(0);
        Stream<LuaNode> front = left.is(Kind.BINARY, text) ? left.chain().stream() : Stream.of(left);
        return Stream.concat(front, Stream.of(children.get(1))).toList();
    }
}
