package dev.baton.lock.store;

import dev.baton.lock.LockNames;

/**
 * What the names of some locks are like: {@code *} stands for any characters, {@code ?} for one, a backslash takes the meaning
 * from the next character; everything else stands for itself.
 */
public record NamePattern(String text) {

    private static final char ANY = '*';
    private static final char ONE = '?';
    private static final char QUOTE = '\\';

    /**
     * Checks the pattern.
     *
     * @throws IllegalArgumentException if it is blank or ends with a single backslash
     */
    public NamePattern {
        if (text.isBlank()) {
            throw new IllegalArgumentException("the pattern of lock names is blank; use '*' for all, or 'scope.*'");
        }
        int quotes = text.length() - text.replaceAll("\\\\+$", "").length();
        if (quotes % 2 == 1) {
            throw new IllegalArgumentException("the pattern '" + LockNames.printable(text)
                    + "' ends with a backslash that stands before nothing; write two of them for a backslash");
        }
    }

    /** Told of a pattern, piece by piece. */
    public interface Reader {

        /** Any number of characters. */
        void any();

        /** One character. */
        void one();

        /** This one. */
        void literal(char character);
    }

    /** Tells what stands in it, from the first to the last. */
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

    /** Whether a name is like that. Takes at most the product of both lengths, whatever they are. */
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
