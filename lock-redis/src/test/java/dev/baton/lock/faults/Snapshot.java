package dev.baton.lock.faults;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of Redis at one instant: all locks of a run with their queues, read in one step.
 *
 * @param server a number that grows with each restart of the server without data
 * @param before nanoTime before the command
 * @param after nanoTime after the answer
 * @param now the time on the clock of Redis, in microseconds
 * @param locks the locks by name
 */
record Snapshot(int server, long before, long after, long now, Map<String, Lock> locks) {

    Lock lock(String name) {
        return locks.getOrDefault(name, Lock.FREE);
    }

    /** Returns whether a waiter belongs to a process that counts as alive, and its wait is not over, as Baton decides. */
    boolean isLiving(String name, Waiter waiter) {
        return (waiter.deadline == 0 || waiter.deadline > now) && waiter.alive >= lock(name).seen;
    }

    /** Returns whether other waiters may be granted the lock before this waiter. */
    boolean isPassable(String name, Waiter waiter) {
        return !isLiving(name, waiter) || !waiter.hears(now) || waiter.isForSeveral() && waiter.pass > now;
    }

    /** Returns whether a request holds all these locks. */
    boolean holds(String request, List<String> names) {
        return names.stream().allMatch(name -> lock(name).isHeldBy(request));
    }

    /** Returns whether a request is in the queues of all these locks. */
    boolean waits(String request, List<String> names) {
        return names.stream().allMatch(name -> lock(name).waiter(request) != null);
    }

    /**
     * Returns whether a waiter is due: its locks are free, and each waiter before it in any queue may be passed.
     *
     * @param ending a request whose locks count as free, or empty for none
     */
    boolean isDue(Waiter waiter, String ending) {
        for (String name : waiter.names) {
            Holder holder = lock(name).holder;
            if (holder != null && !holder.request.equals(ending)) {
                return false;
            }
            for (Waiter other : lock(name).queue) {
                if (other.isBefore(waiter) && !isPassable(name, other)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * A lock.
     *
     * @param holder the holder, or {@code null} if the lock is free
     * @param seen the time of the last recheck of any process, in microseconds
     * @param queue the waiters by arrival
     */
    record Lock(@Nullable Holder holder, long seen, List<Waiter> queue) {

        static final Lock FREE = new Lock(null, 0, List.of());

        boolean isHeldBy(String request) {
            return holder != null && holder.request.equals(request);
        }

        @Nullable
        Waiter waiter(String request) {
            for (Waiter waiter : queue) {
                if (waiter.request.equals(request)) {
                    return waiter;
                }
            }
            return null;
        }
    }

    /**
     * The holder of a lock.
     *
     * @param left the remaining lease, in milliseconds
     */
    record Holder(String request, long token, long left) {}

    /**
     * A waiter for a lock. Times are in microseconds.
     *
     * @param alive the time until which its process counts as alive; zero if it is not known, or since a later time
     * @param deadline the time until which the waiter waits; zero if unbounded
     * @param pass the time until which the waiter may be passed; zero for a single lock, whose waiter may never be
     *     passed
     * @param names the locks that the waiter wants
     * @param asksUntil the time of the next recheck of a polling waiter; zero if a message notifies the waiter
     * @param subscribed whether the inbox of the process has a subscriber
     */
    record Waiter(
            String request,
            long arrival,
            long alive,
            long deadline,
            long pass,
            List<String> names,
            long asksUntil,
            boolean subscribed) {

        /** Returns whether the waiter would notice a grant at that time. A polling waiter that is late may be gone. */
        boolean hears(long at) {
            return subscribed || asksUntil >= at;
        }

        boolean isForSeveral() {
            return names.size() > 1;
        }

        boolean isBefore(Waiter other) {
            return arrival < other.arrival;
        }
    }
}
