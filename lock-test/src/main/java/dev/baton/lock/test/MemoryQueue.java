package dev.baton.lock.test;

import dev.baton.lock.store.LockName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the next waiter. Changes nothing except that it removes dead waiters from their queues, and
 * forgets processes that were silent.
 *
 * <p>A waiter for several names is granted all names together: when all are free and every waiter before it may be
 * passed. Until then, other waiters may pass it on a free name, for as long as its request permits. After that time,
 * its names are kept for it.
 */
final class MemoryQueue {

    private final Function<LockName, MemoryRow> rows;
    private final Predicate<String> heard;

    /**
     * Creates a queue.
     *
     * @param rows returns the state of a name, without what has expired
     * @param heard returns whether a process receives notifications
     */
    MemoryQueue(Function<LockName, MemoryRow> rows, Predicate<String> heard) {
        this.rows = rows;
        this.heard = heard;
    }

    /**
     * The choice for a name that is free or shared.
     *
     * @param waiter the waiter to be granted the name, or {@code null} if there is none
     * @param kept whether a waiter comes first that cannot be granted the name yet
     */
    record Choice(@Nullable MemoryWaiter waiter, boolean kept) {}

    /**
     * Goes through the queue of a name that is free or shared.
     *
     * @param mine the ids of the requests that read the answer and need no notification
     * @param reader the process that reads the answer, as for {@link MemoryWaiter#isReader}, or {@code null} if there
     *     is none
     */
    Choice choose(MemoryRow row, Set<String> mine, @Nullable String reader, long now) {
        boolean signalled = false;
        for (MemoryWaiter waiter : List.copyOf(row.queue())) {
            boolean own = mine.contains(waiter.id());
            if (!own && isGone(row, waiter, now)) {
                signalled |= passSignalOn(row, waiter, now);
                remove(waiter);
            } else {
                boolean heard = own || isHeard(row, waiter, reader, now);
                if (heard && isNext(waiter, row, now)) {
                    return new Choice(waiter, false);
                }
                if (heard && !row.isTooLarge(waiter.request()) && !waiter.mayBePassed(now)
                        || keepsReadersOut(row, waiter, now)) {
                    return new Choice(null, true);
                }
            }
        }
        // a waiter that was signalled just now is at the end of the queue
        return signalled ? choose(row, mine, reader, now) : new Choice(null, false);
    }

    /** Passes the signal of a waiter on that is removed without a grant. Returns whether another waiter was signalled. */
    boolean passSignalOn(MemoryRow row, MemoryWaiter waiter, long now) {
        String condition = waiter.request().condition();
        return !condition.isEmpty() && signal(row, condition, 1, "", now) > 0;
    }

    /**
     * Moves waiters of a condition to the end of the queue: the first that are heard, and otherwise the first ones. Removes
     * the dead ones before them. Returns how many were moved.
     *
     * @param owner the only owner whose waiters are moved, or empty for any
     */
    int signal(MemoryRow row, String condition, int most, String owner, long now) {
        MemoryList list = row.list(condition);
        List<MemoryWaiter> chosen = new ArrayList<>();
        List<MemoryWaiter> deaf = new ArrayList<>();
        for (MemoryWaiter waiter : list.waiters()) {
            if (chosen.size() == most) {
                break;
            }
            if (isDead(row, waiter)) {
                list.remove(waiter.id());
            } else if (owner.isEmpty() || owner.equals(waiter.request().owner())) {
                (isHeard(row, waiter, null, now) ? chosen : deaf).add(waiter);
            }
        }
        chosen.addAll(deaf.subList(0, Math.min(deaf.size(), most - chosen.size())));
        for (MemoryWaiter waiter : chosen) {
            list.remove(waiter.id());
            row.join(waiter.at(Math.max(now, row.lastArrival() + 1)));
        }
        row.keepQueue();
        return chosen.size();
    }

    void remove(MemoryWaiter waiter) {
        waiter.names().forEach(name -> rows.apply(name).remove(waiter.id()));
    }

    /**
     * Returns whether all names of the waiter can be granted. In the queue of the first name, all waiters before it may be
     * passed.
     */
    private boolean isNext(MemoryWaiter waiter, MemoryRow first, long now) {
        for (LockName name : waiter.names()) {
            MemoryRow row = rows.apply(name);
            // the waiter of a process that was silent for too long may have lost its place in one of the queues: the
            // process asks again, or is dead
            if (!row.isOpenTo(waiter.request())
                    || row.waiter(waiter.id()) == null
                    || row != first && before(row, waiter).stream().anyMatch(other -> !isPassed(row, other, now))) {
                return false;
            }
        }
        return true;
    }

    private boolean isPassed(MemoryRow row, MemoryWaiter waiter, long now) {
        return isGone(row, waiter, now)
                || !keepsReadersOut(row, waiter, now) && (!isHeard(row, waiter, null, now) || waiter.mayBePassed(now));
    }

    private static boolean keepsReadersOut(MemoryRow row, MemoryWaiter waiter, long now) {
        return row.isShared() && waiter.keepsReadersOut(row.name, now);
    }

    private static boolean isGone(MemoryRow row, MemoryWaiter waiter, long now) {
        return isDead(row, waiter) || waiter.isLate(now);
    }

    private static boolean isDead(MemoryRow row, MemoryWaiter waiter) {
        MemoryProcess process = row.process(waiter.instance());
        return process == null || waiter.arrival() < process.born();
    }

    private boolean isHeard(MemoryRow row, MemoryWaiter waiter, @Nullable String reader, long now) {
        return isAsking(row, waiter, now) || waiter.isReader(reader) || heard.test(waiter.instance());
    }

    /** Returns whether the waiter asks again in time, so that it needs no notification of a grant of this name. */
    static boolean isAsking(MemoryRow row, MemoryWaiter waiter, long now) {
        MemoryProcess process = row.process(waiter.instance());
        return process != null && process.isAsking(now);
    }

    private static List<MemoryWaiter> before(MemoryRow row, MemoryWaiter waiter) {
        List<MemoryWaiter> before = new ArrayList<>();
        for (MemoryWaiter other : row.queue()) {
            if (other.id().equals(waiter.id())) {
                break;
            }
            before.add(other);
        }
        return before;
    }
}
