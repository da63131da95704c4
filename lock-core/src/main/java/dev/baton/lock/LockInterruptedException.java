package dev.baton.lock;

import java.time.Duration;

/** Thrown if the thread was interrupted while it waited for the lock. Its interrupt flag is set again. */
public class LockInterruptedException extends LockException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception; the caller must have set the interrupt flag again.
     *
     * @param waited how long the thread had waited
     */
    public LockInterruptedException(String name, Duration waited, InterruptedException cause) {
        super(
                name,
                "Interrupted after waiting " + waited.toMillis() + " ms for lock '" + name
                        + "'; the request has left the queue and the thread's interrupt flag is set",
                cause);
    }
}
