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
import java.util.stream.Stream;

/** Reads the Redis commands that docs/guarantees.md lists as required. */
public final class DocumentedCommands {

    private static final Pattern SCRIPTS = Pattern.compile("(?s)## Which commands are used\\s+Scripts (.*?); and ");
    private static final Pattern OTHERS =
            Pattern.compile("(?s)## Which commands are used\\s+Scripts .*?; and (.*?) Keys and channels");
    private static final Pattern TRANSACTIONS =
            Pattern.compile("(?s)With `baton.handler: transaction` (.*?) instead of scripts");
    private static final Pattern LIBRARIES = Pattern.compile("(?s)The client libraries send more by themselves: (.*)");

    private DocumentedCommands() {}

    /**
     * Returns the commands of the scripts, named as rights such as {@code pubsub|numsub}, and the commands that run
     * scripts.
     */
    static List<String> all() {
        return commands(SCRIPTS);
    }

    /** Returns the commands that a process needs besides its scripts. */
    public static List<String> others() {
        return commands(OTHERS);
    }

    /** Returns the commands of the transactions. */
    public static List<String> ofTransactions() {
        return commands(TRANSACTIONS);
    }

    /** Returns the commands that client libraries send, with or without the right. */
    public static List<String> ofLibraries() {
        return commands(LIBRARIES);
    }

    /** Returns the rules that allow a Redis user only to run the scripts. */
    static String rights() {
        return rules(all());
    }

    /** Returns all commands that a process needs. */
    public static List<String> needed() {
        return Stream.of(all(), others()).flatMap(List::stream).toList();
    }

    /** Returns the rules that allow a Redis user these commands. */
    public static String rules(List<String> commands) {
        return commands.stream().map(command -> "+" + command).collect(Collectors.joining(" "));
    }

    private static List<String> commands(Pattern where) {
        return LuaText.all("`([A-Z]+(?: [A-Z]+)?)`", section(where)).stream()
                .filter(word -> !word.equals("NOSCRIPT"))
                .map(command -> command.toLowerCase(Locale.ROOT).replace(' ', '|'))
                .toList();
    }

    private static String section(Pattern where) {
        Path guarantees = Path.of("..", "docs", "guarantees.md");
        try {
            Matcher section = where.matcher(Files.readString(guarantees));
            if (!section.find()) {
                throw new AssertionError(guarantees + " has no list of the form " + where);
            }
            return section.group(1);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
