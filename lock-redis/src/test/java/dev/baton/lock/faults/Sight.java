package dev.baton.lock.faults;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What stood in Redis at one instant: all locks of a run with their queues, read in one step.
 *
 * @param server grows with each start of the server, which forgets everything
 * @param before nanoTime before it was asked
 * @param after nanoTime when it had answered
 * @param now by the clock of Redis, in microseconds
 * @param locks by name
 */
record Sight(int server, long before, long after, long now, Map<String, Lock> locks) {

    Lock lock(String name) {
        return locks.getOrDefault(name, Lock.FREE);
    }

    /** Whether a waiter has been heard of within three rechecks and its wait is not over: as the rules for a waiter say. */
    boolean isLiving(String name, Waiter waiter) {
        return (waiter.deadline == 0 || waiter.deadline > now) && waiter.alive >= lock(name).seen;
    }

    /** Whether others may be granted the lock before this one. */
    boolean isPassable(String name, Waiter waiter) {
        return !isLiving(name, waiter) || !waiter.hears(now) || waiter.isForSeveral() && waiter.pass > now;
    }

    /** Whether a request holds all of these. */
    boolean holds(String request, List<String> names) {
        return names.stream().allMatch(name -> lock(name).isHeldBy(request));
    }

    /** Whether a request stands in the queues of all of these. */
    boolean waits(String request, List<String> names) {
        return names.stream().allMatch(name -> lock(name).waiter(request) != null);
    }

    /**
     * Whether a waiter is to be granted what it wants, if nobody but those given hold it: its locks are free, and before it stands
     * nobody in any queue who may not be passed.
     *
     * @param ending a request that is thought away from the locks; empty for none
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
     * @param holder null: it is free
     * @param seen when anybody asked for it last, in microseconds
     * @param queue by arrival
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
     * Who holds a lock.
     *
     * @param left of its lease, in milliseconds
     */
    record Holder(String request, long token, long left) {}

    /**
     * Who waits for a lock. Times in microseconds.
     *
     * @param alive until when it counts as alive
     * @param deadline until when it waits; zero: unbounded
     * @param pass until when it may be passed; zero: one that wants a single lock never may
     * @param names all that it wants, without those that nobody looks at
     * @param asksUntil by when one that learns of its grant by asking asks again; zero: a message tells it
     * @param subscribed whether somebody listens for its process
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

        /** Whether it would learn of a grant at that time. One that did not ask again in time may be gone. */
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
