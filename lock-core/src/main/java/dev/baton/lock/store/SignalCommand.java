package dev.baton.lock.store;

/**
 * Signals requests that await a condition: moves them to the end of the queue of its lock, in the order in which they came.
 * A request that cannot be notified just now is signalled only if there are too few others. If the lock is free, it is
 * handed over. A command that is carried out twice may signal twice as many.
 *
 * @param name the lock
 * @param id the id of the request that has to hold the lock alone, or empty if none has to
 * @param condition the condition
 * @param most how many requests to signal, positive
 * @param owner the only owner whose requests are signalled, or empty for any
 * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds
 */
public record SignalCommand(LockName name, String id, String condition, int most, String owner, long timeoutNanos) {

    /** How many requests one command signals at most. */
    public static final int MOST = 64;
}
