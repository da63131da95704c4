package dev.baton.lock.store;

import java.util.List;

/**
 * Reply to an {@link AwaitCommand}.
 *
 * @param awaits whether the new request awaits its condition now, or did so before. If not, the old request did not hold
 *     the lock, or the new one has ended, and nothing was changed
 * @param incomplete whether the lock is free and a search of its queue would come further now
 * @param mark the highest token or number given so far; a grant whose number is not greater is older than this answer
 * @param possiblyRepeated whether the connection was lost meanwhile, so that the command may be carried out twice
 * @param unsubscribed whether the store sees no subscriber for the process
 * @param handedTo the ids of the requests that were granted the lock in the same step
 */
public record AwaitReply(
        boolean awaits,
        boolean incomplete,
        long mark,
        boolean possiblyRepeated,
        boolean unsubscribed,
        List<String> handedTo) {}
