package dev.baton.lock;

/** What happens to work under a lock whose lease is lost before it is done. It can always ask {@link Lease#isHeld()}. */
public enum OnLost {
    /** The work goes on; after it, {@link LockLostException} with its result. */
    THROW,
    /**
     * The thread that does the work is interrupted, once, and only while it does this work; after it, as {@link #THROW}. The
     * flag is cleared if nothing has consumed it by then.
     */
    INTERRUPT,
    /** The work goes on, and its result is returned; one WARN is logged. */
    LOG
}
