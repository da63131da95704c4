package dev.baton.lock;

/**
 * Work without a result that runs while a lock is held.
 *
 * @param <E> the checked exception that the work declares, rethrown unwrapped
 */
@FunctionalInterface
public interface LockRunnable<E extends Exception> {

    /**
     * Runs the work. Called in the caller's thread once the lock is granted; the lock is released when this method
     * returns or throws.
     */
    void doWithLock(Lease lease) throws E;
}
