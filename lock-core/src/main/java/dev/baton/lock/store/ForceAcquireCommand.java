package dev.baton.lock.store;

/**
 * Takes all locks of an acquire for its one request, in one step, before all waiters, from whichever requests hold them. Each
 * of these is notified as by {@link LockStoreAdministration#forceRelease}. Waiters keep their places; a place of the
 * request itself is removed. A request that holds all the locks already is granted them again, so the command may be
 * carried out more than once.
 *
 * @param acquire the locks and the request
 * @param expected the token of the holder from which alone the locks may be taken, or {@link #ANY}. If one of them is
 *     held by another, or none is held, nothing is changed, and the answer is busy
 */
public record ForceAcquireCommand(AcquireCommand acquire, long expected) {

    /** Stands for any holder, and for none. */
    public static final long ANY = 0;

    /**
     * Checks the number of requests.
     *
     * @throws IllegalArgumentException if there is more than one
     */
    public ForceAcquireCommand {
        if (acquire.requests().size() != 1) {
            throw new IllegalArgumentException(
                    acquire.requests().size() + " requests in one command; only one can take a lock by force");
        }
    }

    /** Returns the one request. */
    public AcquireCommand.Request request() {
        return acquire.requests().get(0);
    }
}
