package dev.baton.lock;

/** How many holders a lock may have at a time. A request for several locks has a mode for each. */
public enum LockMode {
    /** One holder, and no reader: a writer. */
    EXCLUSIVE,
    /**
     * Several readers together, and no writer. A writer waits until the readers have left that held the lock when it came. No
     * reader that comes later passes it. Needs scripts and the wait strategy {@link WaitStrategy#GRANT}.
     */
    SHARED
}
