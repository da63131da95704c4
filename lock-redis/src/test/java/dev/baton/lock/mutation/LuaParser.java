package dev.baton.lock.mutation;

import dev.baton.lock.mutation.LuaNode.Kind;
import java.util.ArrayList;
import java.util.List;

/** Parses the statements of Lua 5.1, and refuses unknown syntax. {@link LuaExpressions} parses the expressions. */
final class LuaParser {

    private final LuaTokens tokens;
    private final LuaExpressions expressions;

    private LuaParser(String source) {
        this.tokens = new LuaTokens(source);
        this.expressions = new LuaExpressions(tokens, this::functionBody);
    }

    static LuaNode parse(String source) {
        LuaParser parser = new LuaParser(source);
        LuaNode block = parser.block();
        if (!parser.tokens.atEnd()) {
            throw parser.tokens.unexpected("a statement");
        }
        return block;
    }

    private LuaNode block() {
        int start = tokens.start();
        List<LuaNode> statements = new ArrayList<>();
        while (!tokens.atEnd() && !tokens.isOneOf("end", "else", "elseif", "until")) {
            if (!tokens.accept(";")) {
                statements.add(statement());
            }
        }
        return tokens.node(Kind.STATEMENT, "", start, statements);
    }

    private LuaNode statement() {
        int start = tokens.start();
        List<LuaNode> parts = new ArrayList<>();
        switch (tokens.peek()) {
            case "if" -> branches(parts);
            case "while" -> {
                parts.add(condition("while"));
                parts.add(body("do"));
            }
            case "repeat" -> {
                tokens.expect("repeat");
                parts.add(block());
                parts.add(condition("until"));
            }
            case "for" -> loop(parts);
            case "do" -> parts.add(body("do"));
            case "function" -> {
                tokens.expect("function");
                tokens.skipUntil("(");
                parts.add(functionBody());
            }
            case "local" -> declaration(parts);
            case "break" -> tokens.expect("break");
            case "return" -> {
                tokens.expect("return");
                if (!tokens.atEnd() && !tokens.isOneOf("end", "else", "elseif", "until", ";")) {
                    parts.addAll(expressions.list());
                }
            }
            default -> {
                return assignmentOrCall(start);
            }
        }
        return tokens.node(Kind.STATEMENT, "", start, parts);
    }

    private void branches(List<LuaNode> parts) {
        parts.add(condition("if"));
        tokens.expect("then");
        parts.add(block());
        while (tokens.isOneOf("elseif")) {
            parts.add(condition("elseif"));
            tokens.expect("then");
            parts.add(block());
        }
        if (tokens.accept("else")) {
            parts.add(block());
        }
        tokens.expect("end");
    }

    private LuaNode condition(String keyword) {
        tokens.expect(keyword);
        int start = tokens.start();
        LuaNode asked = expressions.expression();
        return tokens.node(Kind.CONDITION, "", start, List.of(asked));
    }

    private LuaNode body(String keyword) {
        tokens.expect(keyword);
        LuaNode block = block();
        tokens.expect("end");
        return block;
    }

    private void loop(List<LuaNode> parts) {
        tokens.expect("for");
        while (!tokens.isOneOf("=", "in")) {
            tokens.next();
        }
        tokens.next();
        parts.addAll(expressions.list());
        parts.add(body("do"));
    }

    private void declaration(List<LuaNode> parts) {
        tokens.expect("local");
        if (tokens.accept("function")) {
            tokens.next();
            parts.add(functionBody());
            return;
        }
        do {
            tokens.next();
        } while (tokens.accept(","));
        if (tokens.accept("=")) {
            parts.addAll(expressions.list());
        }
    }

    private LuaNode functionBody() {
        tokens.skipUntil("(");
        tokens.skipUntil(")");
        tokens.expect(")");
        LuaNode block = block();
        tokens.expect("end");
        return block;
    }

    private LuaNode assignmentOrCall(int start) {
        List<LuaNode> parts = new ArrayList<>();
        do {
            parts.add(expressions.suffixed());
        } while (tokens.accept(","));
        if (tokens.accept("=")) {
            parts.addAll(expressions.list());
            return tokens.node(Kind.ASSIGNMENT, "", start, parts);
        }
        if (parts.size() > 1 || parts.get(0).kind() != Kind.CALL) {
            throw tokens.unexpected("an assignment or a call");
        }
        return tokens.node(Kind.CALL_STATEMENT, "", start, parts);
    }
}
