package dev.baton.lock.support;

import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.time.KeptInterrupt;
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
        KeptInterrupt interrupt = new KeptInterrupt();
        if (!request.interruptible() && Thread.interrupted()) {
            interrupt.take();
        }
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
                    if (Thread.interrupted()) {
                        interrupt.take();
                    }
                }
            }
        } finally {
            interrupt.giveBack();
        }
    }
}
