package dev.baton.lock.autoconfigure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds scopes in which locks with different keys can have the same name: a dot separates scope and key, and both may
 * contain dots. Pure functions.
 */
final class MeetingScopes {

    private MeetingScopes() {}

    /**
     * A scope, with a readable description of its declaration.
     *
     * @param namespace the namespace of the locks, empty for that of the application, or {@code null} for any namespace
     */
    record Declared(String scope, @Nullable String namespace, String where, boolean keyed) {

        private boolean meets(Declared longer) {
            return keyed
                    && longer.scope.startsWith(scope + ".")
                    && (namespace == null || longer.namespace == null || namespace.equals(longer.namespace));
        }
    }

    /** Returns a message for each pair of scopes, with the place of the first declaration of each scope. */
    static List<String> messages(List<Declared> declared) {
        List<Declared> sorted =
                declared.stream().sorted(Comparator.comparing(Declared::scope)).toList();
        Map<List<String>, String> messages = new TreeMap<>(Comparator.comparing(List::toString));
        for (Declared shorter : sorted) {
            for (Declared longer : sorted) {
                if (shorter.meets(longer)) {
                    messages.putIfAbsent(List.of(shorter.scope, longer.scope), message(shorter, longer));
                }
            }
        }
        return new ArrayList<>(messages.values());
    }

    private static String message(Declared shorter, Declared longer) {
        String rest = longer.scope.substring(shorter.scope.length() + 1);
        return "Scope '" + shorter.scope + "' (" + shorter.where + ") and scope '" + longer.scope + "' (" + longer.where
                + ") can name the same lock: '" + longer.scope + ".x' is the key '" + rest
                + ".x' of the one and the key 'x' of the other. Rename one of them, so that neither begins with the other and"
                + " a dot.";
    }
}
