package dev.baton.lock;

/**
 * Thrown if the maximum number of requests of this process already wait; the rejected request was not sent to the
 * store.
 */
public class LockLimitException extends LockException {

    private static final long serialVersionUID = 1L;

    private final int limit;

    /**
     * Creates the exception with a message that names the remedy.
     *
     * @param limit how many requests may wait at the same time
     */
    public LockLimitException(String name, int limit) {
        super(
                name,
                "Lock '" + name + "' was not requested: " + limit
                        + " requests of this process are already waiting for locks"
                        + " (baton.max-waiters); admit fewer callers, give them a shorter waitTime, or raise the limit",
                null);
        this.limit = limit;
    }

    /** Returns how many requests may wait at the same time. */
    public int limit() {
        return limit;
    }
}
