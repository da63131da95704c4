package dev.baton.lock.store;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a request was when it was ended.
 *
 * @param was what it was; {@link Was#HOLDER} if it held all of its locks
 * @param missing of a holder of several: those that it did not hold any more, in which case it was {@link Was#NOTHING}
 *     and has given back the others; empty otherwise
 * @param more the lock is free and the same command would come further in the queue now
 * @param repeated the connection was lost meanwhile: the command may have been carried out twice, so {@link Was#NOTHING} may
 *     mean that the first one did it
 * @param handedTo the requests that were granted its locks in the same step
 * @param token of the only one that was, if it is of the same process and nothing but this answer tells it; empty: whoever was
 *     granted something is told by a message, or asks
 */
public record EndReply(
        Was was, List<LockName> missing, boolean more, boolean repeated, List<String> handedTo, OptionalLong token) {

    /** One after which everybody who was granted something is told by a message, or asks. */
    public EndReply(Was was, List<LockName> missing, boolean more, boolean repeated, List<String> handedTo) {
        this(was, missing, more, repeated, handedTo, OptionalLong.empty());
    }

    /** One after which nobody was granted anything. */
    public EndReply(Was was, List<LockName> missing, boolean more, boolean repeated) {
        this(was, missing, more, repeated, List.of());
    }

    /** What a request was. */
    public enum Was {
        HOLDER,
        WAITER,
        NOTHING
    }
}
