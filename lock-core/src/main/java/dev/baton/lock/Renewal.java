package dev.baton.lock;

/** Whether a lease is extended while its holder is alive. */
public enum Renewal {
    /** Renewed if the request names no {@code expire} of its own: a nearer one is a limit. */
    AUTO,
    /** Renewed, up to the configured {@code baton.max-hold}. */
    ALWAYS,
    /** Never renewed by itself: the lease ends after its {@code expire}. */
    NEVER
}
