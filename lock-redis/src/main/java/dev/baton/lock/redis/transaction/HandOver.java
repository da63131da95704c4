package dev.baton.lock.redis.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Hands free locks to their next waiters, as one part of an attempt.
 *
 * @param next the ids of the requests that were granted a lock
 * @param more whether another attempt would get further in a queue
 */
record HandOver(List<String> next, boolean more) {

    /**
     * Hands over each lock of an attempt that is free, if a waiter can be granted it.
     *
     * @param leaving the record that is being removed from all queues, or empty if there is none
     */
    static HandOver ofFreeLocks(LockTransaction attempt, String leaving) {
        List<String> next = new ArrayList<>(1);
        boolean more = false;
        for (WatchedLock one : attempt.freeWithQueue()) {
            more |= handOver(attempt, one, leaving, next);
        }
        return new HandOver(next, more);
    }

    private static boolean handOver(LockTransaction attempt, WatchedLock lock, String leaving, List<String> next) {
        WaiterQueue.Found found =
                new WaiterQueue(attempt, lock, new WaitingProcesses(attempt, lock)).find(Set.of(), Map.of(), leaving);
        attempt.remove(lock, found.gone());
        WaiterQueue.Chosen chosen = found.chosen();
        if (chosen != null && chosen.waiter() != null && chosen.process() != null) {
            next.add(attempt.handOver(lock, chosen.waiter(), chosen.process()));
        }
        return found.more();
    }
}
