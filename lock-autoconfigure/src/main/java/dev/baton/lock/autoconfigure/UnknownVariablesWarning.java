package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockNames;
import dev.baton.lock.interceptor.validation.SimilarNames;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** Logs which environment variables begin as those of Baton and set none of its properties. */
final class UnknownVariablesWarning {

    private static final Logger logger = LoggerFactory.getLogger(UnknownVariablesWarning.class);

    private static final String PREFIX = LockProperties.PREFIX.toUpperCase(Locale.ROOT) + "_";

    private final KnownProperties known;

    UnknownVariablesWarning(KnownProperties known) {
        this.known = known;
    }

    /** Logs one warning for all unknown ones among the names of variables, or none. */
    void log(String... variables) {
        String unknown = Arrays.stream(variables)
                .filter(variable -> plain(variable).startsWith(PREFIX) && !isKnown(plain(variable)))
                .sorted()
                .map(this::described)
                .collect(Collectors.joining(" "));
        if (!unknown.isEmpty()) {
            logger.warn(
                    "Environment variables that begin with {} and set no property of Baton: {} Correct the name, or ignore"
                            + " this warning if other software uses the variable.",
                    PREFIX,
                    unknown);
        }
    }

    /** Returns a variable as Spring reads it: upper and lower case, dots, hyphens and underscores are the same. */
    private static String plain(String variable) {
        return variable.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    private String described(String variable) {
        String suggestion = SimilarNames.suggest(similar(plain(variable)));
        return (LockNames.printable(variable) + ". " + suggestion).strip();
    }

    private boolean isKnown(String variable) {
        return known.values().anyMatch(name -> variables(name).anyMatch(variable::matches));
    }

    /** Returns the variables that set a property, as patterns: {@code BATON_WAITTIME} and {@code BATON_WAIT_TIME}. */
    private Stream<String> variables(ConfigurationPropertyName name) {
        String text = name.toString();
        ConfigurationPropertyName map = known.mapAbove(name);
        if (map == null) {
            return Stream.of(plain(text.replace("-", "")), plain(text));
        }
        // the key of a map ends at the next underscore
        String end = text.substring(
                name.chop(map.getNumberOfElements() + 1).toString().length());
        String entry = plain(map.toString()) + "_[^_]+";
        return Stream.of(entry + plain(end.replace("-", "")), entry + plain(end));
    }

    private List<String> similar(String variable) {
        List<String> all = known.values()
                .filter(name -> known.mapAbove(name) == null)
                .map(name -> plain(name.toString().replace("-", "")).substring(PREFIX.length()))
                .toList();
        return SimilarNames.of(variable.substring(PREFIX.length()), all).stream()
                .map(PREFIX::concat)
                .toList();
    }
}
