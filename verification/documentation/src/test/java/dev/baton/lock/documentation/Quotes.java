package dev.baton.lock.documentation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the messages that {@code docs/troubleshooting.md} quotes, from its headings, tables and lists. */
final class Quotes {

    /** The sections whose headings quote messages; the headings of the others name a topic. */
    private static final Set<String> SECTIONS = Set.of("Exceptions", "Warnings and errors in the log");

    /** The headers of the first columns that quote messages. */
    private static final Set<String> COLUMNS = Set.of(
            "message",
            "reason",
            "reason in the message",
            "problem",
            "problem of the health check `locks`",
            "error",
            "answer");

    private static final Pattern EXCEPTION = Pattern.compile("`\\w+Exception`(?:: )?");

    /** A message in bold at the beginning of a paragraph, or some words of a message at the beginning of an entry. */
    private static final Pattern CODE = Pattern.compile("(?:\\*\\*|- )`([^`]* [^`]*)`[.:].*");

    /** What takes the place of a value, and what separates the parts of a message. */
    private static final Pattern VALUE = Pattern.compile(
            "com\\.acme[.\\w]*|baton\\.…|…|\\(\\.\\.\\)|\\(reactive\\)|[`()]|(?<![\\w.])\\d+(?![\\w.])");

    private static final Pattern WORD = Pattern.compile("\\p{L}{2}");

    private Quotes() {}

    /** Returns the quotes of a page, each of which may have several messages. */
    static List<String> in(List<String> lines) {
        List<String> quotes = new ArrayList<>();
        String section = "";
        String column = "";
        for (String line : lines) {
            Matcher code = CODE.matcher(line);
            boolean row = line.startsWith("| ");
            if (line.startsWith("## ")) {
                section = line.substring(3);
            } else if (line.startsWith("### ") && SECTIONS.contains(section)) {
                quotes.add(EXCEPTION.matcher(line.substring(4)).replaceFirst(""));
            } else if (code.matches()) {
                quotes.add(code.group(1));
            } else if (row && column.isEmpty()) {
                column = firstCell(line);
            } else if (row && COLUMNS.contains(column)) {
                quotes.add(firstCell(line));
            }
            column = line.startsWith("|") ? column : "";
        }
        quotes.removeIf(String::isEmpty);
        return quotes;
    }

    /** Returns the messages of a quote, which a semicolon separates. */
    static Stream<String> messages(String quote) {
        return Arrays.stream(quote.split("; "));
    }

    /** Returns the words of a message between its values, with the quotation marks around a value. */
    static List<String> fragments(String message) {
        return VALUE.splitAsStream(message)
                .map(String::strip)
                .filter(part -> WORD.matcher(part).find())
                .toList();
    }

    private static String firstCell(String row) {
        return row.substring(2, row.indexOf(" |", 2));
    }
}
