package dev.baton.lock;

/**
 * What happens to work of {@code execute} under a lock whose lease is lost before it is done. The work can always ask
 * {@link Lease#isHeld()}.
 */
public enum OnLost {
    /** The work goes on; after it, {@link LockLostException} with its result. */
    THROW,
    /**
     * The thread that does the work is interrupted, once, and only while it does this work; after it, as {@link #THROW}.
     *
     * <p>If nothing has consumed the interrupt by the end of the work, the thread's flag is cleared: it never reaches what
     * the thread does next. A flag that was set before the loss is somebody else's: it is not set again, and stays. Somebody
     * else's interrupt that comes after ours cannot be told from it, and is cleared with it.
     */
    INTERRUPT,
    /** The work goes on, and its result is returned. One WARN is logged, as for every loss. */
    LOG
}
