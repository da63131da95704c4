package dev.baton.lock.autoconfigure;

/** Defines what happens after the primary of Redis was replaced or restarted. */
public enum Failover {
    /** Nothing: a grant that the new primary does not know may be made again while its holder works. */
    NONE,
    /**
     * No grant counts for the longest lease ({@code baton.longest-expire}). By then each lease has ended that the new
     * primary may not know.
     */
    WAIT;
}
