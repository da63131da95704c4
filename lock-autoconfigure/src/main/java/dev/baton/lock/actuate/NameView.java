package dev.baton.lock.actuate;

import java.util.List;

/** Shows or hides the keys in lock names: keys can be personal data. */
public enum NameView {
    /** Complete names. */
    SHOWN,
    /** The scope, and asterisks for the key. */
    SANITIZED;

    private static final String HIDDEN = "******";

    /** Returns {@link #SHOWN} or {@link #SANITIZED}. */
    public static NameView of(boolean shown) {
        return shown ? SHOWN : SANITIZED;
    }

    /** Returns the view of a name whose scope is not known. A scope ends at the last dot. */
    public String of(String name) {
        int dot = name.lastIndexOf('.');
        return this == SHOWN ? name : (dot < 0 ? "" : name.substring(0, dot + 1)) + HIDDEN;
    }

    /** Returns the views of names of one scope. */
    public List<String> of(List<String> names, String scope) {
        return this == SHOWN
                ? names
                : names.stream()
                        .map(name -> name.startsWith(scope + ".") ? scope + "." + HIDDEN : of(name))
                        .toList();
    }
}
