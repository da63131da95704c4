package dev.baton.lock.store;

import java.util.OptionalLong;

/**
 * What became of a {@link ExtendCommand}.
 *
 * @param held whether the request holds the lock
 * @param token of those after it so many are given to nobody else as were asked for; empty: nothing has changed, for others
 *     wait, so many cannot be kept now, or the request is not the holder
 */
public record ExtendReply(boolean held, OptionalLong token) {

    /** Others wait for the lock, it is not known whether anybody does, or so many tokens cannot be kept now. */
    public static final ExtendReply WANTED = new ExtendReply(true, OptionalLong.empty());
}
