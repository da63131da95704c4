package dev.baton.lock;

/** How a lock's state in Redis is changed in one step. Processes of one fleet may differ. */
public enum LockHandler {

    /** By script; by transaction if Redis refuses to run scripts for this user. */
    AUTO,

    /** By script: one command, whatever happens meanwhile. */
    SCRIPT,

    /** By WATCH, MULTI and EXEC, tried again if somebody else came in between; one lock per request. */
    TRANSACTION
}
