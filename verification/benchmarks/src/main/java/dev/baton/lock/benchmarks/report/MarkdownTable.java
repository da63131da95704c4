package dev.baton.lock.benchmarks.report;

import java.util.Collections;
import java.util.List;

/** A table, line by line. Not thread-safe. */
public final class MarkdownTable {

    private final StringBuilder text = new StringBuilder();

    /** A table with these columns, the first of text, the others of figures. */
    public MarkdownTable(String... columns) {
        row(List.of(columns));
        text.append("|---")
                .append(String.join("", Collections.nCopies(columns.length - 1, "|---:")))
                .append("|\n");
    }

    /** Adds a line. */
    public MarkdownTable row(List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
