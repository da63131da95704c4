package dev.baton.lock;

/** Whether a lease is extended while its holder is alive. */
public enum Renewal {
    /**
     * Renewed if the length of the lease is {@code baton.expire}. A more specific {@code expire}, for instance that of
     * the request, is a limit.
     */
    AUTO,
    /** Renewed, up to the configured {@code baton.max-hold}. */
    ALWAYS,
    /** Never renewed automatically: the lease ends after its {@code expire}. */
    NEVER
}
