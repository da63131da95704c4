package dev.baton.lock.store;

import java.util.List;
import java.util.OptionalLong;

/**
 * Reply to a {@link DowngradeCommand}.
 *
 * @param token the token of the reader, or empty if it holds nothing: the old request did not hold the lock, or the
 *     reader has ended
 * @param incomplete whether more readers wait, which another command would grant the lock
 * @param handedTo the ids of the other requests that were granted the lock in the same step
 */
public record DowngradeReply(OptionalLong token, boolean incomplete, List<String> handedTo) {}
