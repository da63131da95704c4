package dev.baton.lock.mutation;

import dev.baton.lock.mutation.LuaLexer.Token;
import dev.baton.lock.mutation.LuaNode.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Parses the expressions of Lua 5.1. */
final class LuaExpressions {

    private static final int UNARY_BINDING = 7;
    private static final Set<String> RIGHT_ASSOCIATIVE = Set.of("..", "^");
    private static final Map<String, Integer> BINDING = Map.ofEntries(
            Map.entry("or", 1),
            Map.entry("and", 2),
            Map.entry("<", 3),
            Map.entry(">", 3),
            Map.entry("<=", 3),
            Map.entry(">=", 3),
            Map.entry("~=", 3),
            Map.entry("==", 3),
            Map.entry("..", 4),
            Map.entry("+", 5),
            Map.entry("-", 5),
            Map.entry("*", 6),
            Map.entry("/", 6),
            Map.entry("%", 6),
            Map.entry("^", 8));

    private final LuaTokens tokens;
    private final Supplier<LuaNode> functionBody;

    LuaExpressions(LuaTokens tokens, Supplier<LuaNode> functionBody) {
        this.tokens = tokens;
        this.functionBody = functionBody;
    }

    /** Parses one or more expressions, separated by commas. */
    List<LuaNode> list() {
        List<LuaNode> list = new ArrayList<>();
        do {
            list.add(expression());
        } while (tokens.accept(","));
        return list;
    }

    LuaNode expression() {
        return expression(0);
    }

    private LuaNode expression(int outside) {
        int start = tokens.start();
        LuaNode left = tokens.isOneOf("not", "-", "#") ? unary() : simple();
        while (BINDING.getOrDefault(tokens.peek(), 0) > outside) {
            String operator = tokens.next().text();
            int binding = BINDING.get(operator);
            LuaNode right = expression(RIGHT_ASSOCIATIVE.contains(operator) ? binding - 1 : binding);
            left = tokens.node(Kind.BINARY, operator, start, List.of(left, right));
        }
        return left;
    }

    private LuaNode unary() {
        int start = tokens.start();
        String operator = tokens.next().text();
        return tokens.node(Kind.UNARY, operator, start, List.of(expression(UNARY_BINDING)));
    }

    private LuaNode simple() {
        int start = tokens.start();
        if (tokens.isOneOf("{")) {
            return table();
        }
        if (tokens.accept("function")) {
            return tokens.node(Kind.EXPRESSION, "", start, List.of(functionBody.get()));
        }
        if (tokens.current().kind() == Token.Kind.VALUE || tokens.isOneOf("nil", "true", "false", "...")) {
            tokens.next();
            return tokens.node(Kind.EXPRESSION, "", start, List.of());
        }
        return suffixed();
    }

    /** Parses a name or an expression in parentheses, with the calls and indexes that follow. */
    LuaNode suffixed() {
        int start = tokens.start();
        LuaNode found = primary();
        while (true) {
            if (tokens.accept(".")) {
                tokens.next();
                found = tokens.node(Kind.EXPRESSION, "", start, List.of(found));
            } else if (tokens.accept("[")) {
                List<LuaNode> parts = List.of(found, expression());
                tokens.expect("]");
                found = tokens.node(Kind.EXPRESSION, "", start, parts);
            } else if (tokens.isOneOf("(", "{", ":") || tokens.current().kind() == Token.Kind.VALUE) {
                found = call(start, found);
            } else {
                return found;
            }
        }
    }

    private LuaNode primary() {
        int start = tokens.start();
        if (tokens.accept("(")) {
            LuaNode inside = expression();
            tokens.expect(")");
            return tokens.node(Kind.EXPRESSION, "()", start, List.of(inside));
        }
        if (tokens.current().kind() != Token.Kind.NAME) {
            throw tokens.unexpected("an expression");
        }
        tokens.next();
        return tokens.node(Kind.EXPRESSION, "", start, List.of());
    }

    private LuaNode call(int start, LuaNode called) {
        List<LuaNode> parts = new ArrayList<>(List.of(called));
        if (tokens.accept(":")) {
            tokens.next();
        }
        if (!tokens.accept("(")) {
            parts.add(simple());
        } else if (!tokens.isOneOf(")")) {
            parts.addAll(list());
            tokens.expect(")");
        } else {
            tokens.expect(")");
        }
        return tokens.node(Kind.CALL, "", start, parts);
    }

    private LuaNode table() {
        int start = tokens.start();
        List<LuaNode> fields = new ArrayList<>();
        tokens.expect("{");
        while (!tokens.accept("}")) {
            fields.add(field());
            if (!tokens.isOneOf("}") && !tokens.accept(";")) {
                tokens.expect(",");
            }
        }
        return tokens.node(Kind.EXPRESSION, "{}", start, fields);
    }

    private LuaNode field() {
        int start = tokens.start();
        if (tokens.isNamed("=")) {
            tokens.next();
            tokens.expect("=");
            return tokens.node(Kind.FIELD, "", start, List.of(expression()));
        }
        if (tokens.accept("[")) {
            LuaNode key = expression();
            tokens.expect("]");
            tokens.expect("=");
            return tokens.node(Kind.FIELD, "", start, List.of(key, expression()));
        }
        return expression();
    }
}
