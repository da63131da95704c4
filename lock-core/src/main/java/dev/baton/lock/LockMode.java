package dev.baton.lock;

/** How many may hold a lock at a time. */
public enum LockMode {
    /** One holder. */
    EXCLUSIVE,
    /** Readers together: not supported yet, and refused by {@link LockRequest}. */
    SHARED
}
