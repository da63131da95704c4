package dev.baton.lock.interceptor.validation;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds the names that the author of a mistyped name may have meant. Pure functions.
 *
 * <p>A name is near if few characters have to be added, removed or swapped with a neighbor: none for a name of one or
 * two characters, one for up to five, two for up to eight, three for a longer name. A replaced character counts twice,
 * so that "code" is not taken for "mode". Upper and lower case, hyphens and underscores make no difference.
 */
public final class SimilarNames {

    private static final int MOST_EDITS = 3;
    private static final int LETTERS_PER_EDIT = 3;
    private static final int MOST_NAMES = 3;

    private SimilarNames() {}

    /** Returns the nearest of the known names, at most three, in alphabetical order; empty if none is near. */
    public static List<String> of(String typed, Collection<String> known) {
        String plain = plain(typed);
        int limit = Math.min(MOST_EDITS, plain.length() / LETTERS_PER_EDIT);
        Map<Integer, List<String>> byDistance = new TreeMap<>(known.stream()
                .distinct()
                .sorted()
                .collect(Collectors.groupingBy(name -> distance(plain, plain(name)), Collectors.toList())));
        return byDistance.entrySet().stream()
                .filter(near -> near.getKey() <= limit)
                .findFirst()
                .map(near -> near.getValue().stream().limit(MOST_NAMES).toList())
                .orElse(List.of());
    }

    /** Returns {@code "Did you mean 'a' or 'b'? "} for a message that goes on; the empty text if there are no names. */
    public static String suggest(List<String> names) {
        return names.isEmpty()
                ? ""
                : names.stream()
                        .map(name -> name.indexOf('\'') < 0 ? "'" + name + "'" : "\"" + name + "\"")
                        .collect(Collectors.joining(" or ", "Did you mean ", "? "));
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    /** Counts the edits between two texts, row by row over the first one. */
    private static int distance(String from, String to) {
        int[] beforeLast = new int[to.length() + 1];
        int[] last = new int[to.length() + 1];
        Arrays.setAll(last, j -> j);
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                boolean same = from.charAt(i - 1) == to.charAt(j - 1);
                row[j] = same ? last[j - 1] : 1 + Math.min(last[j], row[j - 1]);
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    row[j] = Math.min(row[j], 1 + beforeLast[j - 2]);
                }
            }
            beforeLast = last;
            last = row;
        }
        return last[to.length()];
    }
}
