package dev.baton.lock.store;

import dev.baton.lock.LockHolder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reply to an {@link AcquireCommand}.
 *
 * @param incomplete whether the search for a waiter ended early: no waiter was granted yet, and the same command would come further
 *     now
 * @param answers one answer per request, in the order of the requests
 * @param possiblyRepeated whether the connection was lost meanwhile, so that the command may be carried out twice
 * @param unsubscribed whether a request waits and the store sees no subscriber for the process of the request
 */
public record AcquireReply(boolean incomplete, List<Answer> answers, boolean possiblyRepeated, boolean unsubscribed) {

    /** Answer to one request. */
    public sealed interface Answer {}

    /**
     * It holds the lock, for its lease from when this ran at the earliest.
     *
     * @param token says as well whether tokens after it are given to nobody else, as {@link Tokens} says
     * @param again it had been granted before this command, by a hand-over
     */
    public record Granted(long token, boolean again) implements Answer {}

    /**
     * It does not hold the lock; if it may wait, it is in the queue.
     *
     * @param holder who holds it, or null if it is free and nobody could be granted
     * @param mark the highest token given so far: a grant with no greater one is older than this answer
     */
    public record Busy(@Nullable LockHolder holder, long mark) implements Answer {}

    /** It has ended, and this command came too late to revive it. */
    public record Over() implements Answer {}
}
