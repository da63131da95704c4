package dev.baton.lock.autoconfigure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds scopes of which locks with different keys have the same name: a dot parts scope and key, and both may have one. Pure. */
final class MeetingScopes {

    private MeetingScopes() {}

    /**
     * A scope and where it is declared, for people.
     *
     * @param namespace of its locks, empty for that of the application; null: any
     */
    record Declared(String scope, @Nullable String namespace, String where, boolean keyed) {

        private boolean meets(Declared longer) {
            return keyed
                    && longer.scope.startsWith(scope + ".")
                    && (namespace == null || longer.namespace == null || namespace.equals(longer.namespace));
        }
    }

    /** A message for each pair, with the place where each is declared first. */
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
