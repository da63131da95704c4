package dev.baton.lock;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One lock: the kind of thing that is locked, and its key. Immutable, validated on creation.
 *
 * @param scope the kind of thing; not blank, no braces, no control characters
 * @param keyParts the key; text as {@link LockKeyPart} makes it; never empty ({@code global} without a key)
 */
public record LockTarget(String scope, List<String> keyParts) {

    /** The key of a scope that has just one lock. */
    public static final String GLOBAL = "global";

    /** The maximum length of a name, in characters. */
    public static final int LONGEST_NAME = 32_768;

    public LockTarget {
        LockNames.checkScope(scope);
        if (keyParts.isEmpty()) {
            throw new IllegalArgumentException(
                    "scope '" + scope + "' has no key part; leave the key out for '" + GLOBAL + "'");
        }
        keyParts = List.copyOf(keyParts);
        for (String part : keyParts) {
            if (!LockKeyPart.isUsable(part)) {
                LockKeyPart.of(part, "key part of scope '" + scope + "'");
            }
        }
        if (LockNames.longest(scope, keyParts) > LONGEST_NAME) {
            checkLength(scope, keyParts);
        }
    }

    private static void checkLength(String scope, List<String> keyParts) {
        int length = LockNames.join(scope, keyParts).length();
        if (length > LONGEST_NAME) {
            throw new IllegalArgumentException("the name of a lock of scope '" + scope + "' has " + length
                    + " characters, more than " + LONGEST_NAME + "; use a shorter key, for example a digest of it");
        }
    }

    /**
     * Returns a target: {@code of("invoice", "acme", 7)} is {@code invoice.acme:7}.
     *
     * @param parts the key parts, as {@link LockKeyPart} accepts them; {@link #GLOBAL} if there are none
     * @throws IllegalArgumentException if the scope or a part is invalid
     */
    public static LockTarget of(String scope, @Nullable Object @Nullable ... parts) {
        LockNames.checkScope(scope);
        if (parts == null) {
            throw LockKeyPart.isNull("key part 1 of scope '" + scope + "'");
        }
        List<String> texts = new ArrayList<>(Math.max(1, parts.length));
        for (int i = 0; i < parts.length; i++) {
            texts.add(
                    parts[i] instanceof String text && LockKeyPart.isUsable(text)
                            ? text
                            : LockKeyPart.of(parts[i], "key part " + (i + 1) + " of scope '" + scope + "'"));
        }
        if (texts.isEmpty()) {
            texts.add(GLOBAL);
        }
        return new LockTarget(scope, texts);
    }

    /**
     * Returns {@code scope.key}, the parts joined by colons. A colon, dot or percent sign inside a part is
     * percent-encoded, so the last dot of a name ends its scope.
     */
    public String name() {
        return LockNames.join(scope, keyParts);
    }
}
