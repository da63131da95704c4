package dev.baton.lock.mutation;

import dev.baton.lock.mutation.LuaLexer.Token;
import java.util.List;
import java.util.stream.Stream;

/** The position of a parser in its source. */
final class LuaTokens {

    private final String source;
    private final List<Token> tokens;
    private int at;

    LuaTokens(String source) {
        this.source = source;
        this.tokens = LuaLexer.tokens(source);
    }

    boolean atEnd() {
        return at == tokens.size();
    }

    Token current() {
        return atEnd() ? LuaLexer.END : tokens.get(at);
    }

    /** Returns the next token if it is a keyword or symbol, or an empty text. */
    String peek() {
        return current().is(current().text()) ? current().text() : "";
    }

    boolean isOneOf(String... texts) {
        return Stream.of(texts).anyMatch(current()::is);
    }

    /** Returns whether the next tokens are a name and this symbol. */
    boolean isNamed(String symbol) {
        return current().kind() == Token.Kind.NAME
                && at + 1 < tokens.size()
                && tokens.get(at + 1).is(symbol);
    }

    Token next() {
        if (atEnd()) {
            throw unexpected("more");
        }
        return tokens.get(at++);
    }

    boolean accept(String text) {
        boolean found = current().is(text);
        at += found ? 1 : 0;
        return found;
    }

    void expect(String text) {
        if (!accept(text)) {
            throw unexpected(text);
        }
    }

    void skipUntil(String text) {
        while (!current().is(text)) {
            next();
        }
    }

    int start() {
        return atEnd() ? source.length() : current().start();
    }

    /** Returns a node from a position to the last token that was read. */
    LuaNode node(LuaNode.Kind kind, String text, int start, List<LuaNode> children) {
        int end = at == 0 ? start : Math.max(start, tokens.get(at - 1).end());
        return new LuaNode(kind, text, start, end, List.copyOf(children));
    }

    IllegalArgumentException unexpected(String wanted) {
        long line = source.substring(0, start()).lines().count();
        return new IllegalArgumentException(
                "Line " + line + ": expected " + wanted + ", not " + current().text());
    }
}
