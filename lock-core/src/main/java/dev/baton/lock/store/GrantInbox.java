package dev.baton.lock.store;

import java.util.List;

/**
 * What a store tells its process. Called on the store's own threads, which must not be kept waiting: an implementation
 * completes a future or starts a task and returns.
 */
public interface GrantInbox {

    /** Its locks were handed to a request of this process; the message may be late, or older than an answer. */
    void granted(List<LockName> names, String id, long token);

    /**
     * A lock was taken away from a request of this process, whose grant had this token; the message may be late, or come before the
     * answer that tells of the grant.
     */
    void revoked(List<LockName> names, String id, long token);

    /**
     * Its locks were handed to a request of this process, perhaps: the message says so, but its token cannot be read. Only the store
     * knows, and is to be asked.
     */
    default void doubtful(List<LockName> names, String id) {
        // a waiter that does nothing asks at its next recheck
    }

    /** Messages arrive from now on, again perhaps; those of before may be lost. */
    void listening();

    /** A lock that is watched may be free: it was deleted, or has expired, or that would have gone unnoticed until now. */
    default void freed(LockName name) {
        // only a store that is asked to watch says so
    }
}
