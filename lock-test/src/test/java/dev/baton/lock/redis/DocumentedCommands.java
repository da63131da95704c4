package dev.baton.lock.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The Redis commands that docs/guarantees.md says the scripts need. */
final class DocumentedCommands {

    private static final Pattern SCRIPTS = Pattern.compile("(?s)## Which commands are used\\s+Scripts (.*?); and ");

    private DocumentedCommands() {}

    /** By the names of Redis's rights, such as {@code pubsub|numsub}; those that run the scripts included. */
    static List<String> all() {
        return LuaText.all("`([A-Z]+(?: [A-Z]+)?)`", section()).stream()
                .filter(word -> !word.equals("NOSCRIPT"))
                .map(command -> command.toLowerCase(Locale.ROOT).replace(' ', '|'))
                .toList();
    }

    /** The rules that allow a Redis user these and no others. */
    static String rights() {
        return all().stream().map(command -> "+" + command).collect(Collectors.joining(" "));
    }

    private static String section() {
        Path guarantees = Path.of("..", "docs", "guarantees.md");
        try {
            Matcher section = SCRIPTS.matcher(Files.readString(guarantees));
            if (!section.find()) {
                throw new AssertionError(guarantees + " has no list of the form " + SCRIPTS);
            }
            return section.group(1);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
