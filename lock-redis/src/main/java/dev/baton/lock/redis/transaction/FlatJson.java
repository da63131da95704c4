package dev.baton.lock.redis.transaction;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and quotes the JSON of a waiter's record: one object of texts and numbers. Inner arrays and objects are
 * counted, not read.
 */
final class FlatJson {

    private final String text;
    private int at;

    private FlatJson(String text) {
        this.text = text;
    }

    /**
     * Reads an object.
     *
     * @return the fields: texts and numbers as String; true, false and null as such; an inner array or object as the
     *     Integer of its size
     * @throws IllegalArgumentException if the text is not an object
     */
    static Map<String, @Nullable Object> read(String text) {
        FlatJson json = new FlatJson(text);
        json.expect('{');
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        json.fields(fields);
        json.space();
        if (json.at < text.length()) {
            throw json.unreadable();
        }
        return fields;
    }

    /** Returns a text in quotes. */
    static String quoted(String value) {
        StringBuilder quoted = new StringBuilder(value.length() + 2).append('"');
        for (char letter : value.toCharArray()) {
            if (letter == '"' || letter == '\\') {
                quoted.append('\\').append(letter);
            } else if (letter < ' ' || letter == 127) {
                quoted.append(String.format("\\u%04x", (int) letter));
            } else {
                quoted.append(letter);
            }
        }
        return quoted.append('"').toString();
    }

    private int fields(Map<String, @Nullable Object> fields) {
        int count = 0;
        while (!next('}')) {
            if (count++ > 0) {
                expect(',');
            }
            space();
            String name = string();
            expect(':');
            fields.put(name, value());
        }
        return count;
    }

    private int elements() {
        int count = 0;
        while (!next(']')) {
            if (count++ > 0) {
                expect(',');
            }
            value();
        }
        return count;
    }

    private @Nullable Object value() {
        space();
        if (peek() == '"') {
            return string();
        }
        if (next('{')) {
            return fields(new LinkedHashMap<>());
        }
        if (next('[')) {
            return elements();
        }
        int from = at;
        while (at < text.length() && (Character.isLetterOrDigit(peek()) || "+-.".indexOf(peek()) >= 0)) {
            at++;
        }
        String word = text.substring(from, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            case "" -> throw unreadable();
            default -> word;
        };
    }

    private String string() {
        expect('"');
        StringBuilder read = new StringBuilder();
        while (peek() != '"') {
            char letter = text.charAt(at++);
            read.append(letter == '\\' ? escaped() : letter);
        }
        at++;
        return read.toString();
    }

    private char escaped() {
        char letter = peek();
        at++;
        return switch (letter) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                at += 4;
                if (at > text.length()) {
                    throw unreadable();
                }
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> letter;
        };
    }

    private boolean next(char expected) {
        space();
        if (peek() != expected) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(char expected) {
        if (!next(expected)) {
            throw unreadable();
        }
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw unreadable();
        }
        return text.charAt(at);
    }

    private IllegalArgumentException unreadable() {
        return new IllegalArgumentException("not a JSON object at " + at + ": " + text);
    }
}
