package dev.baton.lock.support;

import dev.baton.lock.LockLostException;

/** Adds lock failures to an exception of the work, which remains the exception that the caller sees. */
final class LockFailures {

    private LockFailures() {}

    /**
     * Adds the lock failure as a suppressed exception.
     *
     * @param ours the lock failure; not added if the work failed for the same loss, for example because its commit was
     *     refused
     */
    static void suppress(Throwable thrown, Throwable ours) {
        if (thrown != ours && !isSameLoss(thrown, ours)) {
            thrown.addSuppressed(ours);
        }
    }

    private static boolean isSameLoss(Throwable thrown, Throwable ours) {
        return thrown instanceof LockLostException known
                && ours instanceof LockLostException again
                && known.fencingToken() == again.fencingToken()
                && known.name().equals(again.name());
    }
}
