package dev.baton.lock.engine.ticket;

/** The outcome of a wait. */
public enum Outcome {
    /** The lock is held, or was until a moment ago. */
    GRANTED,
    /** A try found the lock taken. */
    REFUSED,
    /** The same holder has kept the lock for the stall time. */
    STALLED,
    /** The store cannot be asked, has refused, or the engine stops. */
    FAILED
}
