package dev.baton.lock.store;

import java.util.OptionalLong;

/**
 * Reply to an {@link ExtendCommand}.
 *
 * @param held whether the request holds the lock
 * @param token the token after which the requested number of tokens is reserved. Empty if nothing has changed: others
 *     wait, that number of tokens cannot be reserved now, or the request is not the holder
 */
public record ExtendReply(boolean held, OptionalLong token) {

    /** Others wait or may wait for the lock, or the requested number of tokens cannot be reserved now. */
    public static final ExtendReply WANTED = new ExtendReply(true, OptionalLong.empty());
}
