package dev.baton.lock.test;

import dev.baton.lock.store.LockName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses who is next. Changes nothing but the queues of those who are gone.
 *
 * <p>Who waits for several names is granted them together, when all are free and nobody stands before it who may not be
 * passed. Until then it may itself be passed on a free name, for as long as its request says; after that its names are kept
 * for it.
 */
final class MemoryQueue {

    private final Function<LockName, MemoryRow> rows;
    private final Predicate<String> heard;

    /**
     * Creates it.
     *
     * @param rows the state of a name, without what is over
     * @param heard whether a process can be told
     */
    MemoryQueue(Function<LockName, MemoryRow> rows, Predicate<String> heard) {
        this.rows = rows;
        this.heard = heard;
    }

    /**
     * Who is to have a free name.
     *
     * @param waiter null: nobody
     * @param kept whether it is kept free for somebody
     */
    record Choice(@Nullable MemoryWaiter waiter, boolean kept) {}

    /**
     * Goes through the queue of a name, which is free.
     *
     * @param mine who reads the answer, and need not be told
     * @param reader as {@link MemoryWaiter#isReader} says
     */
    Choice choose(MemoryRow row, Set<String> mine, @Nullable String reader, long now) {
        for (MemoryWaiter waiter : List.copyOf(row.queue())) {
            boolean own = mine.contains(waiter.id());
            if (!own && isGone(row, waiter, now)) {
                remove(waiter);
            } else if (own || isHeard(waiter, reader, now)) {
                if (waiter.names().size() == 1 || isNext(waiter, row, reader, now)) {
                    return new Choice(waiter, false);
                }
                if (!waiter.mayBePassed(now)) {
                    return new Choice(null, true);
                }
            }
        }
        return new Choice(null, false);
    }

    void remove(MemoryWaiter waiter) {
        waiter.names().forEach(name -> rows.apply(name).remove(waiter.id()));
    }

    /** The answer that a process reads tells of the one lock only that it has ended. */
    private boolean isNext(MemoryWaiter waiter, MemoryRow free, @Nullable String reader, long now) {
        for (LockName name : waiter.names()) {
            MemoryRow row = rows.apply(name);
            String told = row == free ? reader : null;
            // who was silent for too long may have lost its place in one of the queues: it asks anew, or is gone
            if (!row.isOpenTo(waiter.id())
                    || row.waiter(waiter.id()) == null
                    || before(row, waiter).stream().anyMatch(other -> !isPassed(row, other, told, now))) {
                return false;
            }
        }
        return true;
    }

    private boolean isPassed(MemoryRow row, MemoryWaiter waiter, @Nullable String reader, long now) {
        return isGone(row, waiter, now) || !isHeard(waiter, reader, now) || waiter.mayBePassed(now);
    }

    private boolean isGone(MemoryRow row, MemoryWaiter waiter, long now) {
        return waiter.isLate(now) || row.isSilent(waiter);
    }

    private boolean isHeard(MemoryWaiter waiter, @Nullable String reader, long now) {
        return waiter.polls(now) || waiter.isReader(reader) || heard.test(waiter.instance());
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
