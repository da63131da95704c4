package dev.baton.lock;

/**
 * The reaction to the loss of a lease while work of {@code execute} runs under it. The work can always check
 * {@link Lease#isHeld()}.
 */
public enum OnLost {
    /** The work continues; after the work, {@link LockLostException} is thrown with its result. */
    THROW,
    /**
     * The thread that does the work is interrupted, once, and only while it does this work; after the work, as
     * {@link #THROW}.
     *
     * <p>If the work ends before anything has consumed the interrupt, the thread's flag is cleared. The interrupt thus
     * never reaches later work of the thread. A flag that was set before the loss has another source: it is not set
     * again, and stays. An interrupt from another source after Baton's own cannot be distinguished from it, and is
     * cleared with it.
     */
    INTERRUPT,
    /** The work continues, and its result is returned. One WARN is logged, as for every loss. */
    LOG
}
