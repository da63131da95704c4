package dev.baton.lock.interceptor;

/**
 * Defines how to handle the lock of a method, or of work, that runs inside an already active transaction. Such a
 * transaction ends after the method or the work.
 */
public enum InTransaction {
    /**
     * The lock is held until that transaction completes. A warning is logged once per method, and for work once per
     * scope.
     */
    RELEASE,
    /**
     * The lock is released when the method returns or the work is done, before the commit. The next holder may then not
     * see the changes of this holder. A warning is logged once per method, and for work once per scope.
     */
    WARN,
    /** The call fails without acquiring the lock and without executing the method or the work. */
    REFUSE;
}
