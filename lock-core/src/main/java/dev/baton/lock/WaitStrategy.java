package dev.baton.lock;

/**
 * How waiters learn that a lock may be theirs. The processes of one fleet may use different strategies. A single request
 * may use {@link #POLLING} whatever the strategy of its process.
 *
 * <p>A waiter with {@link #GRANT} joins the queue of the lock and is handed the lock. Waiters with the other two
 * strategies request a lock that is free, and get it only if its queue has no live waiters. They come after all queued
 * waiters, and have no guaranteed order among themselves.
 */
public enum WaitStrategy {

    /** The waiter is queued, served in turn, and notified by the releaser. */
    GRANT,

    /** Redis's keyspace notifications tell that the lock was deleted or has expired. */
    KEYSPACE,

    /** The waiter is not notified, and asks repeatedly. */
    POLLING
}
