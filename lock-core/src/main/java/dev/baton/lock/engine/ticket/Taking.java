package dev.baton.lock.engine.ticket;

/** When a request takes its locks from their holders, instead of waiting for them. */
public enum Taking {
    /** Never. */
    NEVER,
    /** As soon as the same holder has kept a lock for the stall time. */
    IF_STUCK,
    /** With its first command. Such a request neither waits nor joins a cohort. */
    AT_ONCE
}
