package dev.baton.lock.store;

/**
 * The thread that gives a command to the store, if this thread does nothing but wait for the answer. The store may
 * carry out the command in this thread, and then returns a future that is already complete.
 *
 * @param waitNanos how long the thread waits for the answer at most, in nanoseconds. The store lets the thread go by
 *     then, and by the time-out of the command. An answer that the store no longer awaits counts as no answer
 * @param interruptible whether the thread stops waiting when it is interrupted. The store then lets the thread go. The
 *     store never clears the interrupt of the thread
 */
public record WaitingCaller(long waitNanos, boolean interruptible) {}
