package dev.baton.lock.store;

import java.util.List;

/**
 * Receives what the messages of a store, and its answers to ends, say about the requests of this process. Called on the
 * store's own threads, which must not be kept waiting: an implementation completes a future or starts a task, and
 * returns. Messages may arrive in any order, also those about one request.
 */
public interface GrantInbox {

    /**
     * Reports that a request of this process was granted its locks. The message may be late, or older than an answer.
     */
    void granted(List<LockName> names, String id, long token);

    /**
     * Reports the same about a request that shares locks.
     *
     * @param token the token of the run that the request has joined or begun; readers of a run have the same
     * @param number the number of the grant, which is greater than all before
     */
    default void granted(List<LockName> names, String id, long token, long number) {
        granted(names, id, token);
    }

    /**
     * Reports that a lock was taken away from a request of this process, whose grant had this token or a smaller one.
     * The message may be late, or arrive before the answer that reports the grant.
     */
    void revoked(List<LockName> names, String id, long token);

    /**
     * Reports that a request of any process has waited for a lock for long, which requests of this process hold.
     *
     * @param id the id of one of the requests that hold the lock
     */
    default void wanted(LockName name, String id) {
        // the holder releases the lock when its work is done
    }

    /**
     * Reports that a request of this process may have been granted its locks. The message says that it was, but the
     * token of the message cannot be read. Only the store knows, so the store has to be asked.
     */
    default void doubtful(List<LockName> names, String id) {
        // the waiter asks the store at its next recheck in any case
    }

    /**
     * Reports that a request of this process was granted its locks, as the answer to the end of another request says.
     *
     * @param sentAt the time when that end was sent, by our monotonic clock; the grant came after this time
     */
    default void handedOver(List<LockName> names, String id, long token, long sentAt) {
        granted(names, id, token);
    }

    /**
     * Reports that the answer to an end was lost, which perhaps announced a grant of this lock. No message repeats the
     * grant.
     */
    default void answerLost(LockName name) {
        // a waiter rechecks soon in any case
    }

    /** Reports that messages arrive from now on, perhaps again. Earlier messages may be lost. */
    void listening();

    /**
     * Reports that a watched lock may be free: it was deleted, it has expired, or either of these would have gone
     * unnoticed until now.
     */
    default void freed(LockName name) {
        // only a store that is asked to watch reports freed locks
    }
}
