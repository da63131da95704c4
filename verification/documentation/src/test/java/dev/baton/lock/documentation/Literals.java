package dev.baton.lock.documentation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The texts of a source file: its string literals, concatenated where only a plus is between them, and split where a
 * value is inserted.
 */
final class Literals {

    /** A comment, a character, a text block (group 1) or a string (group 2). */
    private static final Pattern TOKEN = Pattern.compile(
            "(?s)//[^\n]*|/\\*.*?\\*/|'(?:\\\\.|[^\\\\'])+'|\"\"\"(.*?)\"\"\"|\"((?:\\\\.|[^\\\\\"])*)\"");

    private static final Pattern INSERTED = Pattern.compile("\\{}|%[sd]");

    private final List<String> texts;

    private Literals(List<String> texts) {
        this.texts = texts;
    }

    /** Reads the texts of a source file. */
    static Literals of(String source) {
        List<String> whole = new ArrayList<>();
        StringBuilder between = new StringBuilder();
        int position = 0;
        Matcher token = TOKEN.matcher(source);
        while (token.find()) {
            between.append(source.substring(position, token.start()));
            position = token.end();
            String text = token.group(1) == null ? token.group(2) : token.group(1);
            if (text != null) {
                boolean continued =
                        !whole.isEmpty() && between.toString().strip().equals("+");
                String before = continued ? whole.remove(whole.size() - 1) : "";
                whole.add(before + text.translateEscapes());
                between.setLength(0);
            } else if (token.group().startsWith("'")) {
                between.append(token.group());
            }
        }
        return new Literals(whole.stream()
                .flatMap(INSERTED::splitAsStream)
                .map(text -> text.replaceAll("\\s+", " ").strip())
                .filter(text -> !text.isEmpty())
                .toList());
    }

    /**
     * Returns whether the file makes this text: it is in one literal, or it begins with the end of one, goes on with
     * whole ones and ends with the beginning of another one. The code then inserts one literal into another.
     */
    boolean make(String text) {
        return any(literal -> literal.contains(text))
                || splits(text)
                        .anyMatch(at -> any(literal -> literal.endsWith(text.substring(0, at)))
                                && continuedBy(text.substring(at + 1)));
    }

    private boolean continuedBy(String rest) {
        return any(literal -> literal.startsWith(rest))
                || splits(rest)
                        .anyMatch(at -> any(literal -> literal.equals(rest.substring(0, at)))
                                && continuedBy(rest.substring(at + 1)));
    }

    private boolean any(Predicate<String> condition) {
        return texts.stream().anyMatch(condition);
    }

    /** Returns the positions of the spaces. */
    private static Stream<Integer> splits(String text) {
        return Stream.iterate(text.indexOf(' '), at -> at >= 0, at -> text.indexOf(' ', at + 1));
    }
}
