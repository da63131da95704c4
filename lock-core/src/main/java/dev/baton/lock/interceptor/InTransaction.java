package dev.baton.lock.interceptor;

/**
 * What becomes of a lock that is to be taken for a method or for work while a transaction is already active, which would end after
 * it.
 */
public enum InTransaction {
    /** It is held until that transaction completes; a warning says so once per method, and for work once per scope. */
    RELEASE,
    /**
     * It is given back when the method returns or the work is done, before the commit, so that the next holder may not see what this
     * one wrote; a warning says so once per method, and for work once per scope.
     */
    WARN,
    /** The call fails, and neither takes the lock nor executes the method or the work. */
    REFUSE;
}
