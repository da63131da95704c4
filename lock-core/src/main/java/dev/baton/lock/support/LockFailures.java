package dev.baton.lock.support;

import dev.baton.lock.LockLostException;

/** What is added to an exception of the work, which stays the one that is seen. */
final class LockFailures {

    private LockFailures() {}

    /**
     * Adds what went wrong with the lock.
     *
     * @param ours not added if the work failed for the same loss, as it does when its commit was refused
     */
    static void suppress(Throwable thrown, Throwable ours) {
        if (thrown != ours && !isSameLoss(thrown, ours)) {
            thrown.addSuppressed(ours);
        }
    }

    private static boolean isSameLoss(Throwable thrown, Throwable ours) {
        return thrown instanceof LockLostException known
                && ours instanceof LockLostException again
                && known.getFencingToken() == again.getFencingToken()
                && known.getName().equals(again.getName());
    }
}
