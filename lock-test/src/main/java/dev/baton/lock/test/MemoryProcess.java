package dev.baton.lock.test;

/**
 * A process that waits for one lock name, as of its last recheck; times in microseconds of the store's clock.
 *
 * @param until the time until which the process counts as alive
 * @param span four of its rechecks
 * @param born the time since which the process is known; its waiters that came before are dead
 * @param polls whether its waiters ask again instead of being notified
 */
record MemoryProcess(long until, long span, long born, boolean polls) {

    /**
     * Returns whether the process was heard at most a quarter of a recheck ago.
     *
     * @param nextSpan the span of the recheck that is due
     */
    boolean wasHeardJustNow(long nextSpan, long now) {
        long ago = now - (until - span);
        return span >= nextSpan && ago >= 0 && 16 * ago <= nextSpan;
    }

    /**
     * Returns whether the waiters of the process ask again in time, so that they need no notification. A process that
     * is overdue may be dead.
     */
    boolean isAsking(long now) {
        return polls && now <= until - span * 11 / 16;
    }
}
