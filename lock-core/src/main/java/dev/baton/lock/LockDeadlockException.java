package dev.baton.lock;

/** The owner would wait for itself. */
public class LockDeadlockException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param owner who asked, and holds
     */
    public LockDeadlockException(String name, String owner) {
        super(
                name,
                "Lock '" + name + "' is held by " + owner
                        + " itself, and this request is not re-entrant: it would wait for itself; release the lock first, or ask with"
                        + " reentrant = true",
                null);
    }

    /**
     * Creates the exception for a request for several locks, of which the owner holds some only.
     *
     * @param held what it holds, as {@link #getName()}
     */
    public LockDeadlockException(String name, String owner, String held) {
        super(
                name,
                "Lock '" + name + "' is asked for by " + owner + ", which holds '" + held
                        + "': several locks are granted all or none, so it would wait for itself; release '" + held
                        + "' first, or ask for all of them at once",
                null);
    }
}
