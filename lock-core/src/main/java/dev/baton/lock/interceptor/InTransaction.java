package dev.baton.lock.interceptor;

/** What becomes of a lock that the advice is to take while a transaction is already active, which would end after it. */
public enum InTransaction {
    /** It is held until that transaction completes; a warning says so once per method. */
    RELEASE,
    /**
     * It is given back when the method returns, before the commit, so that the next holder may not see what this one wrote; a
     * warning says so once per method.
     */
    WARN,
    /** The call fails, and neither takes the lock nor executes the method. */
    REFUSE
}
