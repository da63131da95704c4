package dev.baton.lock.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parses just enough Lua to compare a header with its code. */
final class LuaText {

    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\('(\\w+)'(?:, '(\\w*)')?");
    private static final Pattern CONSTRUCTOR = Pattern.compile("\\{([^{}=]+)}");

    private LuaText() {}

    /** Splits a text at the commas outside brackets. */
    static List<String> split(String list) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        int depth = 0;
        for (char c : list.toCharArray()) {
            depth += "({[".indexOf(c) >= 0 ? 1 : 0;
            depth -= ")}]".indexOf(c) >= 0 ? 1 : 0;
            if (c == ',' && depth == 0) {
                parts.add(part.toString().strip());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString().strip());
        return parts;
    }

    /** Returns the elements of each list that the code creates. */
    static List<List<String>> lists(String code) {
        return matches(CONSTRUCTOR, code).map(found -> split(found.group(1))).toList();
    }

    /** Returns the Redis commands that the code calls, named as rights of a user. */
    static List<String> commands(String code) {
        return matches(CALL, code)
                .map(found -> found.group(1).equals("PUBSUB") ? "PUBSUB|" + found.group(2) : found.group(1))
                .map(String::toLowerCase)
                .distinct()
                .toList();
    }

    /** Returns group 1 of all matches. */
    static List<String> all(String regex, String text) {
        return matches(Pattern.compile(regex), text)
                .map(found -> found.group(1))
                .distinct()
                .toList();
    }

    private static Stream<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }
}
