package dev.baton.lock.store;

/**
 * What a request was when it was ended.
 *
 * @param was what it was
 * @param more the lock is free and the same command would come further in the queue now
 * @param repeated the connection was lost meanwhile: the command may have been carried out twice, so {@link Was#NOTHING} may
 *     mean that the first one did it
 */
public record EndReply(Was was, boolean more, boolean repeated) {

    /** What a request was. */
    public enum Was {
        HOLDER,
        WAITER,
        NOTHING
    }
}
