package dev.baton.lock.actuate;

import java.util.List;

/** Names of locks as they may be seen: their keys can be personal. */
public enum NameView {
    /** As they are. */
    SHOWN,
    /** With their scope, and asterisks for the key. */
    SANITIZED;

    private static final String HIDDEN = "******";

    /** {@link #SHOWN} or not. */
    public static NameView of(boolean shown) {
        return shown ? SHOWN : SANITIZED;
    }

    /** Of a name whose scope is not known: what stands before its first dot. */
    public String of(String name) {
        int dot = name.indexOf('.');
        return this == SHOWN ? name : (dot < 0 ? "" : name.substring(0, dot + 1)) + HIDDEN;
    }

    /** Of names of one scope. */
    public List<String> of(List<String> names, String scope) {
        return this == SHOWN
                ? names
                : names.stream()
                        .map(name -> name.startsWith(scope + ".") ? scope + "." + HIDDEN : of(name))
                        .toList();
    }
}
