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
}
