package dev.baton.lock;

/**
 * Work without a result that is done while a lock is held.
 *
 * @param <E> the checked exception it declares, thrown on unwrapped
 */
@FunctionalInterface
public interface LockRunnable<E extends Exception> {

    /** Called in the caller's thread once the lock is granted; the lock is released when it returns or throws. */
    void doWithLock(Lease lease) throws E;
}
