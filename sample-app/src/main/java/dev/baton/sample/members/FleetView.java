package dev.baton.sample.members;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * All instances and their locks, as the page shows them.
 *
 * @param self the number of the instance that answers
 * @param redisError why the locks are not known; null: they are
 * @param locks those that are held, by their name, at most {@value #MOST_LOCKS}
 * @param acts what was done on the servers of late, by the instances that answered
 * @param overlaps how many of the acts began before another on the same server had ended
 */
record FleetView(
        int self,
        @Nullable String redisError,
        List<Instance> instances,
        List<Lock> locks,
        List<Act> acts,
        long overlaps) {

    static final int MOST_LOCKS = 100;

    /**
     * One instance.
     *
     * @param error why it is down; null: it is up
     * @param traffic what its traffic has done; null: it is down
     * @param holds names of locks
     * @param waits names of locks
     */
    record Instance(
            int number,
            int port,
            long pid,
            @Nullable String error,
            @Nullable JsonNode traffic,
            List<String> holds,
            List<String> waits) {}

    /**
     * A lock that is held.
     *
     * @param waiters the waiters, in the order of their arrival
     * @param waiting how many
     */
    record Lock(
            String name, Party holder, long remainingMillis, long fencingToken, List<Party> waiters, long waiting) {}

    /**
     * A holder or a waiter.
     *
     * @param instance its number; 0: a process that is none of the fleet
     * @param millis for how long it has done so
     */
    record Party(int instance, String label, long millis) {}

    /**
     * Something done on a server.
     *
     * @param fromAgo how many milliseconds ago it began
     * @param toAgo how many milliseconds ago it ended; 0: it is going on
     */
    record Act(int instance, String server, String kind, long fromAgo, long toAgo) {}
}
