package dev.baton.lock.store;

import dev.baton.lock.LockNames;

/**
 * A pattern for lock names: {@code *} matches any number of characters, {@code ?} matches one character, and a
 * backslash makes the next character literal. Every other character matches itself.
 */
public record NamePattern(String text) {

    private static final char ANY = '*';
    private static final char ONE = '?';
    private static final char QUOTE = '\\';

    /**
     * Checks the pattern.
     *
     * @throws IllegalArgumentException if the pattern is blank or ends with a backslash that escapes nothing
     */
    public NamePattern {
        if (text.isBlank()) {
            throw new IllegalArgumentException("the pattern of lock names is blank; use '*' for all, or 'scope.*'");
        }
        int quotes = text.length() - text.replaceAll("\\\\+$", "").length();
        if (quotes % 2 == 1) {
            throw new IllegalArgumentException("the pattern '" + LockNames.printable(text)
                    + "' ends with a backslash that escapes nothing; write two of them for a literal backslash");
        }
    }

    /** Receives the elements of a pattern, one by one. */
    public interface Reader {

        /** Receives a wildcard for any number of characters. */
        void any();

        /** Receives a wildcard for one character. */
        void one();

        /** Receives a literal character. */
        void literal(char character);
    }

    /** Passes the elements of the pattern to the reader, from the first to the last. */
    public void read(Reader reader) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == ANY) {
                reader.any();
            } else if (character == ONE) {
                reader.one();
            } else {
                reader.literal(character == QUOTE ? text.charAt(++i) : character);
            }
        }
    }

    /** Returns whether a name matches the pattern. Takes at most as many steps as the product of both lengths. */
    public boolean matches(String name) {
        int at = 0;
        int in = 0;
        int afterAny = -1;
        int retry = 0;
        while (in < name.length()) {
            if (at < text.length() && text.charAt(at) == ANY) {
                afterAny = ++at;
                retry = in;
            } else if (at < text.length() && fits(at, name.charAt(in))) {
                at += text.charAt(at) == QUOTE ? 2 : 1;
                in++;
            } else if (afterAny >= 0) {
                at = afterAny;
                in = ++retry;
            } else {
                return false;
            }
        }
        while (at < text.length() && text.charAt(at) == ANY) {
            at++;
        }
        return at == text.length();
    }

    private boolean fits(int at, char character) {
        char wanted = text.charAt(at);
        return wanted == ONE || (wanted == QUOTE ? text.charAt(at + 1) : wanted) == character;
    }
}
