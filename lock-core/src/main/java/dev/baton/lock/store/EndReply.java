package dev.baton.lock.store;

import java.util.List;
import java.util.OptionalLong;

/**
 * Reply to an {@link EndCommand}.
 *
 * @param role what the request was when it was ended; {@link Role#HOLDER} if it held all of its locks
 * @param missing the locks that a holder of several locks had lost, in which case its role is {@link Role#NOTHING} and
 *     its other locks have been released; empty otherwise
 * @param incomplete whether the lock is free and the same command would now come further in the queue
 * @param possiblyRepeated whether the connection was lost meanwhile. The command may have been carried out twice, so
 *     {@link Role#NOTHING} may mean that the first execution ended the request
 * @param handedTo the ids of the requests that were granted the locks in the same step
 * @param token the token of the only grant, if that grant went to a request of the same process and no message
 *     announces it; empty if every new holder is notified by a message, or asks
 */
public record EndReply(
        Role role,
        List<LockName> missing,
        boolean incomplete,
        boolean possiblyRepeated,
        List<String> handedTo,
        OptionalLong token) {

    /** Creates a reply after which every new holder is notified by a message, or asks. */
    public EndReply(
            Role role, List<LockName> missing, boolean incomplete, boolean possiblyRepeated, List<String> handedTo) {
        this(role, missing, incomplete, possiblyRepeated, handedTo, OptionalLong.empty());
    }

    /** Creates a reply without a grant. */
    public EndReply(Role role, List<LockName> missing, boolean incomplete, boolean possiblyRepeated) {
        this(role, missing, incomplete, possiblyRepeated, List.of());
    }

    /** Returns the same reply, to a command that may have been carried out twice. */
    public EndReply repeated() {
        return new EndReply(role, missing, incomplete, true, handedTo, token);
    }

    /** The role of a request. */
    public enum Role {
        HOLDER,
        WAITER,
        NOTHING
    }
}
