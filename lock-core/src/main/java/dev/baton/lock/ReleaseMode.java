package dev.baton.lock;

/** Whether a release waits for the store to confirm that the lease was still held. */
public enum ReleaseMode {
    /** The release waits for the answer, at most the command time-out. */
    CONFIRMED,
    /**
     * The release does not wait if this process's own, cautious clock proves that the lease was valid. The answer is
     * checked when it arrives. If the store no longer knew the lease, the lease is lost then, and the loss is reported
     * as any other.
     */
    PIPELINED
}
