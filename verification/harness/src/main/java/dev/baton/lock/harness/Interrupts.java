package dev.baton.lock.harness;

/** Runs waits of the test support, which must end its processes even on a thread that a test has interrupted. */
final class Interrupts {

    private Interrupts() {}

    /**
     * Runs a bounded wait, again from the start if interrupted, and sets the thread's interrupt flag again afterwards.
     */
    static <T> T later(Wait<T> wait) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.run();
                } catch (InterruptedException ex) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A wait with a bound of its own. */
    interface Wait<T> {
        T run() throws InterruptedException;
    }
}
