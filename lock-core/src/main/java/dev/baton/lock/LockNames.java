package dev.baton.lock;

import java.util.List;

/** How a lock's name is made of its scope and key, and what a scope and a namespace may be. */
public final class LockNames {

    private LockNames() {}

    /**
     * Checks a scope: a brace in it could spread the keys of one lock over several cluster slots.
     *
     * @throws IllegalArgumentException if blank, or with braces, white space at an end or control characters
     */
    public static String checkScope(String scope) {
        check(scope, "scope");
        return scope;
    }

    /**
     * Checks a namespace: names separated by colons.
     *
     * @throws IllegalArgumentException if blank, with an empty name, or with braces, white space at an end or control
     *     characters
     */
    public static String checkNamespace(String namespace) {
        check(namespace, "namespace");
        if (namespace.startsWith(":") || namespace.endsWith(":") || namespace.contains("::")) {
            throw new IllegalArgumentException(
                    "namespace '" + namespace + "' has an empty name in it; write names separated by single colons, as 'lock:orders'");
        }
        return namespace;
    }

    private static void check(String text, String what) {
        if (text.isBlank()) {
            throw new IllegalArgumentException(what + " is blank; name what kind of thing is locked");
        }
        if (!text.equals(text.strip()) || text.chars().anyMatch(c -> c == '{' || c == '}' || Character.isISOControl(c))) {
            throw new IllegalArgumentException(what + " '" + text
                    + "' has a brace, a control character or white space at an end; put what varies into the key, which may"
                    + " have any character");
        }
    }

    /** Unambiguous for the parts of one scope: different parts never join to one name. */
    static String join(String scope, List<String> parts) {
        StringBuilder name = new StringBuilder(scope).append('.');
        for (int i = 0; i < parts.size(); i++) {
            if (i > 0) {
                name.append(':');
            }
            escape(parts.get(i), name);
        }
        return name.toString();
    }

    private static void escape(String part, StringBuilder into) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            switch (c) {
                case '%' -> into.append("%25");
                case ':' -> into.append("%3A");
                default -> into.append(c);
            }
        }
    }
}
