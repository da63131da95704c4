package dev.baton.lock;

/** Thrown if the owner would wait for a lock that it holds itself. */
public class LockDeadlockException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param owner the owner that both requests and holds the lock
     */
    public LockDeadlockException(String name, String owner) {
        super(
                name,
                "Lock '" + name + "' is already held by " + owner
                        + ", and this request is not re-entrant: it would wait for itself; release the lock first, or set"
                        + " reentrant = true",
                null);
    }

    /**
     * Creates the exception for a request for several locks, of which the owner holds only some.
     *
     * @param held the locks that the owner holds, in the format of {@link #name()}
     */
    public LockDeadlockException(String name, String owner, String held) {
        super(
                name,
                "Lock '" + name + "' is requested by " + owner + ", which already holds '" + held
                        + "': several locks are granted all or none, so the request would wait for itself; release '"
                        + held
                        + "' first, or request all of them at once",
                null);
    }
}
