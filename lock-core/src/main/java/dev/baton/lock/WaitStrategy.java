package dev.baton.lock;

/**
 * How those that wait for a lock learn that it may be their turn. Processes of one fleet may differ.
 *
 * <p>{@link #GRANT} stands in the queue of the lock and is handed it. The other two ask for a lock that is free, and get it
 * only if nobody alive stands in its queue: they come after all that do, and do not promise an order among themselves.
 */
public enum WaitStrategy {

    /** Queued, served in turn, and told by whoever releases. */
    GRANT,

    /** Told by Redis's keyspace notifications that the lock was deleted or has expired; one lock per request. */
    KEYSPACE,

    /** Told by nobody: asks again and again; one lock per request. */
    POLLING
}
