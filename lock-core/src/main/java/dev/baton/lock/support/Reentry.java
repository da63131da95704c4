package dev.baton.lock.support;

import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import java.time.Duration;

/** Handles interrupts of a re-entry that has to wait for the renewal of its lease. */
final class Reentry {

    private Reentry() {}

    /**
     * Runs the renewal. As the request says, an interrupt ends the wait for the renewal, or is kept until the renewal
     * is over.
     *
     * @param renewal the renewal, which may run more than once
     */
    static void run(LockRequest request, Runnable renewal) {
        boolean interrupted = !request.interruptible() && Thread.interrupted();
        try {
            while (true) {
                try {
                    renewal.run();
                    return;
                } catch (LockStoreException ex) {
                    if (!(ex.getCause() instanceof InterruptedException cause)) {
                        throw ex;
                    }
                    if (request.interruptible()) {
                        throw new LockInterruptedException(request.name(), Duration.ZERO, cause);
                    }
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
