package dev.baton.lock;

/** Thrown if the owner would wait for a lock that it holds itself. */
public class LockDeadlockException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param holder the caller that both requests and holds the lock, for people, as {@link LockHolder#label()}
     */
    public LockDeadlockException(String name, String holder) {
        super(
                name,
                "Lock '" + name + "' is already held by " + holder
                        + ", and this request is not re-entrant: it would wait for itself; release the lock first, or set"
                        + " reentrant = true",
                null);
    }

    /**
     * Creates the exception for a request for several locks, of which the caller holds only some.
     *
     * @param holder the caller that requests the locks and holds some of them, for people
     * @param held the locks that the caller holds, in the format of {@link #name()}
     */
    public LockDeadlockException(String name, String holder, String held) {
        super(
                name,
                "Lock '" + name + "' is requested by " + holder + ", which already holds '" + held
                        + "': several locks are granted all or none, so the request would wait for itself; release '"
                        + held
                        + "' first, or request all of them at once",
                null);
    }
}
