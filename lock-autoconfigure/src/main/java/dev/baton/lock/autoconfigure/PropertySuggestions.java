package dev.baton.lock.autoconfigure;

import dev.baton.lock.interceptor.validation.SimilarNames;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/** Finds the properties of Baton that the author of an unknown name may have meant. */
final class PropertySuggestions {

    private static final int MOST = 3;
    private static final String PREFIX = LockProperties.PREFIX + ".";

    private final KnownProperties known;

    PropertySuggestions(KnownProperties known) {
        this.known = known;
    }

    /** Returns names that may be meant, in the form of a file, at most three; empty if there are none. */
    List<String> of(ConfigurationPropertyName unknown) {
        if (known.isGroup(unknown)) {
            return below(unknown);
        }
        String bracketed = withKeyInBrackets(unknown);
        if (bracketed != null) {
            return List.of(bracketed);
        }
        List<String> names = known.values()
                .map(name -> written(name, unknown).substring(PREFIX.length()))
                .toList();
        List<String> similar =
                SimilarNames.of(DurationBindHandler.asWritten(unknown).substring(PREFIX.length()), names);
        return similar.isEmpty()
                ? elsewhere(unknown)
                : similar.stream().map(PREFIX::concat).toList();
    }

    /** Returns names below a group, whose own name was given a value: {@code cache.enabled} for {@code cache}. */
    private List<String> below(ConfigurationPropertyName unknown) {
        ConfigurationPropertyName group = known.general(unknown);
        return first(known.values().filter(group::isAncestorOf), unknown);
    }

    /** Returns names in another place: {@code log.slow-wait} for {@code slow-wait}. */
    private List<String> elsewhere(ConfigurationPropertyName unknown) {
        ConfigurationPropertyName end = unknown.subName(1);
        return first(
                known.values().filter(name -> {
                    int above = name.getNumberOfElements() - end.getNumberOfElements();
                    return above > 1 && name.subName(above).equals(end);
                }),
                unknown);
    }

    private List<String> first(Stream<ConfigurationPropertyName> names, ConfigurationPropertyName unknown) {
        return names.map(name -> written(name, unknown)).limit(MOST).toList();
    }

    /** Returns {@code scopes[a.b].expire} for {@code scopes.a.b.expire}, or {@code null} for other names. */
    private @Nullable String withKeyInBrackets(ConfigurationPropertyName unknown) {
        ConfigurationPropertyName map = known.mapAbove(unknown);
        int last = unknown.getNumberOfElements() - 1;
        if (map == null || last <= map.getNumberOfElements() + 1) {
            return null;
        }
        StringBuilder key = new StringBuilder();
        for (int i = map.getNumberOfElements(); i < last; i++) {
            key.append(key.isEmpty() ? "" : ".").append(unknown.getElement(i, Form.ORIGINAL));
        }
        ConfigurationPropertyName bracketed = map.append("[" + key + "]").append(unknown.subName(last));
        return known.isValue(bracketed) ? DurationBindHandler.asWritten(bracketed) : null;
    }

    /** Returns a known name. In a map, it has the key of the unknown name. */
    private String written(ConfigurationPropertyName name, ConfigurationPropertyName unknown) {
        ConfigurationPropertyName map = known.mapAbove(name);
        if (map == null) {
            return name.toString();
        }
        int key = map.getNumberOfElements();
        String element = map.isAncestorOf(unknown)
                ? ScopeProperties.element(unknown.getElement(key, Form.ORIGINAL))
                : ".<scope>";
        return map + element + "." + name.subName(key + 1);
    }
}
