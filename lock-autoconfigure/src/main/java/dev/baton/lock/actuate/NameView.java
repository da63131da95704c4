package dev.baton.lock.actuate;

import java.util.List;

/** Names of locks as they may be seen: their keys can be personal. */
enum NameView {
    SHOWN,
    SANITIZED;

    private static final String HIDDEN = "******";

    static NameView of(boolean shown) {
        return shown ? SHOWN : SANITIZED;
    }

    /** Of a name whose scope is not known: what stands before its first dot. */
    String of(String name) {
        int dot = name.indexOf('.');
        return this == SHOWN ? name : (dot < 0 ? "" : name.substring(0, dot + 1)) + HIDDEN;
    }

    List<String> of(List<String> names, String scope) {
        return this == SHOWN
                ? names
                : names.stream()
                        .map(name -> name.startsWith(scope + ".") ? scope + "." + HIDDEN : of(name))
                        .toList();
    }
}
