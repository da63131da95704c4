package dev.baton.lock.store;

/**
 * Reply to a {@link SignalCommand}.
 *
 * @param permitted whether the request held the lock, or none had to
 * @param signalled how many requests were signalled
 */
public record SignalReply(boolean permitted, int signalled) {}
