package dev.baton.lock;

/** Whether who gives a lock back waits for the store to say that it was still his. */
public enum ReleaseMode {
    /** The release waits for the answer, at most the command time-out. */
    CONFIRMED,
    /**
     * The release does not wait if this process's own, cautious clock proves that the lease was valid. The answer is looked at when
     * it comes: if the store had not known the lease any more, it is lost then, and told as any loss is.
     */
    PIPELINED
}
