package dev.baton.lock;

/** How the state of a lock in Redis is changed in one step. The processes of one fleet may use different handlers. */
public enum LockHandler {

    /** Scripts, or transactions if Redis refuses to run scripts for this user. */
    AUTO,

    /** Scripts: one atomic command per operation. */
    SCRIPT,

    /** WATCH, MULTI and EXEC, retried if another client interferes. */
    TRANSACTION
}
