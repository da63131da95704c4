package dev.baton.lock;

import java.util.List;

/** Thrown if the owner would wait for a lock that it holds itself, also if it shares the lock and wants it alone. */
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

    private LockDeadlockException(List<String> names, String message) {
        super(names.get(0), message, null);
    }

    /**
     * Returns the exception for an exclusive request for a lock that the caller shares with others. Two readers that each
     * want the lock alone would wait for each other.
     *
     * @param holder the caller that requests the lock and holds it in shared mode, for people
     */
    public static LockDeadlockException upgrade(String name, String holder) {
        return new LockDeadlockException(
                List.of(name),
                "Lock '" + name + "' is requested exclusively by " + holder
                        + ", which already holds it in shared mode: two readers that each want it exclusively would wait for"
                        + " each other; release the shared lock first, or request it exclusively from the beginning");
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
