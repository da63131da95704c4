package dev.baton.lock.mutation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits Lua 5.1 into tokens, without comments and white space. */
final class LuaLexer {

    static final Token END = new Token(Token.Kind.END, "the end of the file", 0, 0);

    private static final Set<String> KEYWORDS = Set.of(
            "and,break,do,else,elseif,end,false,for,function,if,in,local,nil,not,or,repeat,return,then,true,until,while"
                    .split(","));

    // the order matters: a long comment before a short one, a long operator before its beginning
    private static final Pattern TOKEN = Pattern.compile("(?<blank>\\s+|--\\[(?<cl>=*)\\[(?s:.*?)]\\k<cl>]|--[^\\n]*)"
            + "|(?<word>[A-Za-z_]\\w*)"
            + "|(?<value>\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|\\[(?<sl>=*)\\[(?s:.*?)]\\k<sl>]"
            + "|0[xX][0-9a-fA-F]+|\\d+(?:\\.\\d*)?(?:[eE][-+]?\\d+)?)"
            + "|(?<symbol>\\.\\.\\.|\\.\\.|==|~=|<=|>=|[-+*/%^#<>=(){}\\[\\];:,.])");

    private LuaLexer() {}

    /** One token with its position. */
    record Token(Kind kind, String text, int start, int end) {

        enum Kind {
            NAME,
            KEYWORD,
            VALUE,
            SYMBOL,
            END
        }

        boolean is(String wanted) {
            return text.equals(wanted) && (kind == Kind.KEYWORD || kind == Kind.SYMBOL);
        }
    }

    static List<Token> tokens(String source) {
        List<Token> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(source);
        int at = 0;
        while (at < source.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw new IllegalArgumentException(
                        "Not Lua: " + source.substring(at).lines().findFirst());
            }
            if (matcher.group("blank") == null) {
                tokens.add(new Token(kind(matcher), matcher.group(), matcher.start(), matcher.end()));
            }
            at = matcher.end();
        }
        return tokens;
    }

    private static Token.Kind kind(Matcher matcher) {
        if (matcher.group("word") != null) {
            return KEYWORDS.contains(matcher.group()) ? Token.Kind.KEYWORD : Token.Kind.NAME;
        }
        return matcher.group("value") != null ? Token.Kind.VALUE : Token.Kind.SYMBOL;
    }
}
