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

/** Reads the rights of a Redis user that docs/operations.md lists as required. */
public final class DocumentedCommands {

    /** The lines after those that create the user, up to that of the connections. */
    private static final Pattern SCRIPTS =
            Pattern.compile("(?s)ACL SETUSER baton reset [^\n]*\n(.*?)ACL SETUSER baton \\+subscribe");

    private static final Pattern OTHERS = Pattern.compile("ACL SETUSER baton (\\+subscribe[^\n]*)");
    private static final Pattern TRANSACTIONS =
            Pattern.compile("(?s)With `baton.handler: transaction` .*?```\n(.*?)```");
    private static final Pattern CLUSTER = Pattern.compile("(?s)In a Redis Cluster, the user.*?```\n(.*?)```");
    private static final Pattern FAILOVERS =
            Pattern.compile("(?s)With `baton.replicas-to-ack` or `baton.failover: wait`.*?```\n(.*?)```");
    private static final Pattern LIBRARIES =
            Pattern.compile("(?s)The client\\s+libraries\\s+send\\s+more\\s+on\\s+their\\s+own:(.*?)\n\n");

    /** The lines that an operator copies. */
    private static final Pattern LINES = Pattern.compile("(?s)```\n(ACL SETUSER baton reset .*?)```");

    private DocumentedCommands() {}

    /**
     * Returns the commands of the scripts, named as rights such as {@code pubsub|numsub}, and the commands that run
     * scripts.
     */
    static List<String> all() {
        return rights(SCRIPTS);
    }

    /** Returns the commands that a process needs besides its scripts. */
    public static List<String> others() {
        return rights(OTHERS);
    }

    /** Returns the commands of the transactions. */
    public static List<String> ofTransactions() {
        return rights(TRANSACTIONS);
    }

    /** Returns the commands that a process needs in a Redis Cluster, in addition. */
    public static List<String> ofClusters() {
        return rights(CLUSTER);
    }

    /** Returns the commands that confirm grants, in addition. */
    public static List<String> ofFailovers() {
        return rights(FAILOVERS);
    }

    /** Returns the commands that client libraries send, with or without the right. */
    public static List<String> ofLibraries() {
        return LuaText.all("`([A-Z]+(?: [A-Z]+)?)`", section(LIBRARIES)).stream()
                .map(command -> command.toLowerCase(Locale.ROOT).replace(' ', '|'))
                .toList();
    }

    /** Returns the lines that create a user with all rights that a process needs, as they are on the page. */
    public static List<String> lines() {
        return section(LINES).lines().toList();
    }

    /** Returns the lines that create such a user, as they are in the README. */
    public static List<String> linesOfReadme() {
        return section(Path.of("..", "README.md"), LINES).lines().toList();
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

    private static List<String> rights(Pattern where) {
        return LuaText.all("\\+([a-z|]+)", section(where));
    }

    private static String section(Pattern where) {
        return section(Path.of("..", "docs", "operations.md"), where);
    }

    private static String section(Path page, Pattern where) {
        try {
            Matcher section = where.matcher(Files.readString(page));
            if (!section.find()) {
                throw new AssertionError(page + " has no list of the form " + where);
            }
            return section.group(1);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
