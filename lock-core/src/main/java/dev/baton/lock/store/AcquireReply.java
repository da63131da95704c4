package dev.baton.lock.store;

import dev.baton.lock.LockHolder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reply to an {@link AcquireCommand}.
 *
 * @param incomplete whether the search for a waiter ended early: no waiter was granted yet, and the same command would
 *     now come further
 * @param answers one answer per request, in the order of the requests
 * @param possiblyRepeated whether the connection was lost meanwhile, so that the command may be carried out twice
 * @param unsubscribed whether a request waits and the store sees no subscriber for the process of the request
 * @param joined whether a request joined a queue in which it was not before; {@code true} if the store cannot tell
 * @param conditions what has become of each request with a condition, by its id, unless the request is over
 */
public record AcquireReply(
        boolean incomplete,
        List<Answer> answers,
        boolean possiblyRepeated,
        boolean unsubscribed,
        boolean joined,
        Map<String, Awaited> conditions) {

    /** What has become of a request that awaited a condition. Final, except for {@link #AWAITS}. */
    public enum Awaited {
        /** It still awaits the condition. */
        AWAITS,
        /** It was signalled, and then asked for its lock, or holds it. If it ends unserved, the signal is passed on. */
        SIGNALLED,
        /** It asked for its lock without a signal, because it was told to, or because its place was lost. */
        ASKS
    }

    /** Creates the reply of a store to requests without conditions. */
    public AcquireReply(
            boolean incomplete, List<Answer> answers, boolean possiblyRepeated, boolean unsubscribed, boolean joined) {
        this(incomplete, answers, possiblyRepeated, unsubscribed, joined, Map.of());
    }

    /** Creates the reply of a store that cannot tell whether a request joined a queue. */
    public AcquireReply(boolean incomplete, List<Answer> answers, boolean possiblyRepeated, boolean unsubscribed) {
        this(incomplete, answers, possiblyRepeated, unsubscribed, true);
    }

    /** Answer to one request. */
    public sealed interface Answer {}

    /**
     * The request holds the lock. Its lease counts from the execution of the command at the earliest.
     *
     * @param token the token of the grant, which also says whether tokens after it are reserved, see {@link Tokens}
     * @param again whether a hand-over had granted the lock before this command
     * @param number a number above all that were given before the grant, and not above any that is given after this
     *     answer. It is the token, unless the request shares a lock: all readers of a run have one token, which may be
     *     older than their grants. Each grant of permits has a token of its own
     */
    public record Granted(long token, boolean again, long number) implements Answer {

        /** Creates the answer to a request that shares no lock. */
        public Granted(long token, boolean again) {
            this(token, again, token);
        }
    }

    /**
     * The request does not hold the lock. If the request may wait, it is in the queue, or its store queues no such
     * request.
     *
     * @param holder the holder of the lock, or {@code null} if the lock is free and could not be granted to any request
     * @param mark the highest token or number given so far; a grant whose number is not greater is older than this
     *     answer
     * @param holderId the id of the request that holds the lock, or empty if there is none or the store cannot tell. If
     *     readers hold the lock, this is the one whose lease ends last, as is {@code holder}. Of a semaphore, it is the
     *     one whose lease ends first
     * @param size how many permits of the semaphore may be in use now; {@code -1} if the request asks for locks
     */
    public record Busy(@Nullable LockHolder holder, long mark, String holderId, int size) implements Answer {

        private static final int LOCK = -1;

        /** Creates the answer about a lock. */
        public Busy(@Nullable LockHolder holder, long mark, String holderId) {
            this(holder, mark, holderId, LOCK);
        }

        /** Returns the same answer about a semaphore of this size. */
        public Busy of(int permits) {
            return new Busy(holder, mark, holderId, permits);
        }

        /** Creates the answer of a store that cannot tell which request holds the lock. */
        public Busy(@Nullable LockHolder holder, long mark) {
            this(holder, mark, "");
        }
    }

    /** The request has ended, and this command came too late to revive it. */
    public record Over() implements Answer {}
}
