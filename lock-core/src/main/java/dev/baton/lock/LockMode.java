package dev.baton.lock;

/** How many holders a lock may have at a time. */
public enum LockMode {
    /** One holder. */
    EXCLUSIVE,
    /** Several readers together; not supported yet, and rejected by {@link LockRequest}. */
    SHARED
}
