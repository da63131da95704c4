package dev.baton.lock;

import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds the name of a lock from its scope and key, and validates scopes and namespaces. */
public final class LockNames {

    /**
     * The prefixes of names in Redis, those that later versions will use included; a nested namespace of such a name could
     * not be distinguished from a prefix.
     */
    private static final Set<String> KINDS = Set.of(
            "lock",
            "queue",
            "wait",
            "over",
            "fence",
            "inbox",
            "readers",
            "reader",
            "cond",
            "cond-wait",
            "permits",
            "held",
            "server",
            "grace");

    private static final int LONGEST_NAMESPACE = 1_024;
    private static final Pattern CONDITION = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private LockNames() {}

    /**
     * Checks a scope: a brace in a scope could spread the keys of one lock over several cluster slots.
     *
     * @throws IllegalArgumentException if the scope is {@code null}, blank, or has braces, white space at an end or
     *     control characters
     */
    public static String checkScope(String scope) {
        check(scope, "scope");
        return scope;
    }

    /**
     * Returns the name of a condition if it is valid.
     *
     * @throws IllegalArgumentException if it is not one to 64 letters, digits, dots, dashes or underscores
     */
    public static String checkCondition(String name) {
        if (!CONDITION.matcher(name).matches()) {
            throw new IllegalArgumentException("condition '" + printable(name)
                    + "' is invalid; use 1 to 64 of A-Z, a-z, 0-9, dot, dash and underscore");
        }
        return name;
    }

    /**
     * Checks the first namespace: names separated by colons.
     *
     * @throws IllegalArgumentException if the namespace is blank, longer than 1,024 characters, or has an empty name,
     *     braces, white space at an end or control characters; or if a name after the first is the kind of a key of
     *     Baton's own, as {@code lock}, {@code queue} or {@code permits}
     */
    public static String checkNamespace(String namespace) {
        checkNames(namespace);
        int colon = namespace.indexOf(':');
        if (colon >= 0) {
            checkKinds(namespace, namespace.substring(colon + 1));
        }
        return namespace;
    }

    /**
     * Checks a namespace below another one as {@link #checkNamespace(String)} does; its first name must not be one of
     * the reserved names either.
     */
    public static String checkNestedNamespace(String namespace) {
        checkNames(namespace);
        checkKinds(namespace, namespace);
        return namespace;
    }

    private static void checkKinds(String namespace, String names) {
        for (String name : names.split(":")) {
            if (KINDS.contains(name)) {
                throw new IllegalArgumentException("namespace '" + namespace + "' contains the name '" + name
                        + "', which Baton's own keys use; choose another");
            }
        }
    }

    private static void checkNames(String namespace) {
        if (namespace.length() > LONGEST_NAMESPACE) {
            throw new IllegalArgumentException("a namespace of " + namespace.length()
                    + " characters is too long (at most " + LONGEST_NAMESPACE + "); put what varies into the key");
        }
        check(namespace, "namespace");
        if (namespace.startsWith(":") || namespace.endsWith(":") || namespace.contains("::")) {
            throw new IllegalArgumentException("namespace '" + namespace
                    + "' contains an empty name; write names separated by single colons, as 'lock:orders'");
        }
    }

    /**
     * Returns whether the text can be written to Redis unchanged. Half of a surrogate pair would become a question
     * mark, as would any other half.
     */
    static boolean isWhole(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                i++;
                if (i == text.length() || !Character.isSurrogatePair(c, text.charAt(i))) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Escapes control characters, including line breaks: a line break becomes a backslash and an {@code n}. A key, an
     * owner or a thread name thus cannot forge a log line. For texts that people read: different texts may look the
     * same.
     *
     * @return the same text if there is no such character
     */
    public static String printable(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isControl(text.charAt(i))) {
                return escaped(text, i);
            }
        }
        return text;
    }

    private static String escaped(String text, int first) {
        StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> shown.append("\\n");
                case '\r' -> shown.append("\\r");
                case '\t' -> shown.append("\\t");
                default -> {
                    if (isControl(c)) {
                        shown.append("\\u").append(HexFormat.of().toHexDigits(c));
                    } else {
                        shown.append(c);
                    }
                }
            }
        }
        return shown.toString();
    }

    /** Returns whether the character is a control character, or ends a line or a paragraph. */
    private static boolean isControl(char c) {
        return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
    }

    private static void check(@Nullable String text, String what) {
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException(what
                    + (text == null ? " is null; " : " is blank; ")
                    + (what.equals("scope") ? "name what kind of thing is locked" : "leave it out, or give it a name"));
        }
        if (!text.equals(text.strip()) || hasForbidden(text)) {
            throw new IllegalArgumentException(what + " '" + printable(text)
                    + "' contains a brace, a control character, or leading or trailing white space; put what varies into the"
                    + " key, which may contain any character");
        }
        if (!isWhole(text)) {
            throw new IllegalArgumentException(
                    what + " '" + text + "' contains half of a surrogate pair; use whole characters");
        }
    }

    private static boolean hasForbidden(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '{' || c == '}' || isControl(c)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns a key part with a hash tag. All keys of locks whose key begins with the same tag are in one slot of a
     * Redis Cluster, including those of different scopes.
     * {@code LockRequest.ofAll("account", List.of(tagged("acme", 1), tagged("acme", 2)))} requests
     * {@code account.{acme}1} and {@code account.{acme}2}.
     *
     * @param tag the common part of the locks, a tenant for instance; not empty, no braces
     * @param part the individual part, as {@link LockKeyPart} accepts it
     * @throws IllegalArgumentException if the tag is empty, which Redis would not accept as a tag, or has braces; or if
     *     the part is invalid
     */
    public static String tagged(String tag, @Nullable Object part) {
        if (tag.isEmpty() || tag.indexOf('{') >= 0 || tag.indexOf('}') >= 0) {
            throw new IllegalArgumentException("hash tag '" + printable(tag)
                    + "' is empty or contains a brace; name what the locks have in common");
        }
        return "{" + tag + "}" + LockKeyPart.of(part, "key part with hash tag '" + printable(tag) + "'");
    }

    /**
     * Joins a scope and its parts. The result is unambiguous: the last dot ends the scope, because parts have their dots
     * encoded, and different parts never have the same name.
     */
    static String join(String scope, List<String> parts) {
        String key = parts.size() == 1
                ? encoded(parts.get(0))
                : parts.stream().map(LockNames::encoded).collect(Collectors.joining(":"));
        return scope + "." + key;
    }

    /** Returns the maximum number of characters in the result of {@link #join}. */
    static long longest(String scope, List<String> parts) {
        long longest = scope.length();
        for (String part : parts) {
            // encoding may triple each character, and a separator precedes the part
            longest += 1 + 3L * part.length();
        }
        return longest;
    }

    private static String encoded(String part) {
        return part.replace("%", "%25").replace(":", "%3A").replace(".", "%2E");
    }
}
