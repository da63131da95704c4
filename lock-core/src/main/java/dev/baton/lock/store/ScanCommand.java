package dev.baton.lock.store;

/**
 * Asks for some of the locks that are held.
 *
 * @param namespace the nested namespace whose locks are asked for; empty: those of the store's own
 * @param pattern what their names have to be like
 * @param cursor where to go on: {@link #START}, or what the last answer said
 * @param timeoutNanos when the answer is no longer awaited
 */
public record ScanCommand(String namespace, NamePattern pattern, String cursor, long timeoutNanos) {

    /** The beginning of the first answer, and the end of the last. */
    public static final String START = "0";
}
