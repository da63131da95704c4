package dev.baton.lock.store;

/**
 * Asks for some of the held locks.
 *
 * @param namespace the nested namespace of the locks, or empty for the store's own namespace
 * @param pattern the pattern that the names of the locks match
 * @param cursor the place to continue from: {@link #START}, or the cursor of the last page
 * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds
 */
public record ScanCommand(String namespace, NamePattern pattern, String cursor, long timeoutNanos) {

    /** The cursor at which the first page begins, and which the last page returns. */
    public static final String START = "0";
}
