package dev.baton.lock;

/** The reaction of a waiting request when the same holder has kept its lock for the stall time. */
public enum OnStuck {
    /** The request fails with {@link LockTimeoutException}. The holder keeps the lock. */
    FAIL,
    /**
     * The request takes the lock from the holder, as if the holder had failed, and continues. The holder may still work: its
     * lease is lost, and it is notified of that, but it stops only if it looks. Needs a stall time.
     */
    STEAL
}
