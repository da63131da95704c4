package dev.baton.lock.board;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The locks that the board knows. Durations are milliseconds. Immutable.
 *
 * @param problem why the store could not be asked, or {@code null} if the store was asked
 * @param listening whether the waiters of this process are notified of grants
 * @param complete whether all keys of the store were scanned; otherwise other processes may hold more locks
 * @param hidden the number of locks left out because there are too many for a page
 * @param rows the locks, first those with the most waiters, then those held longest
 * @param deadlocks the cycles of waiters that wait for each other
 */
record BoardView(
        @Nullable String problem,
        boolean listening,
        boolean complete,
        int hidden,
        List<Row> rows,
        List<List<Member>> deadlocks) {

    BoardView {
        rows = List.copyOf(rows);
        deadlocks = List.copyOf(deadlocks);
    }

    /**
     * A lock or a semaphore.
     *
     * @param id the id that names the lock to this process only and reveals nothing about its key
     * @param namespace the nested namespace, or empty if there is none
     * @param name the name, sanitized unless it may be shown
     * @param holder the holder, or {@code null} if there is none
     * @param waiting the number of waiters
     * @param queue the first waiters, in queue order
     * @param permits the permits of a semaphore, or {@code null} if this is a lock
     * @param conditions the conditions of the lock that requests of this process await
     */
    record Row(
            String id,
            String namespace,
            String name,
            @Nullable Holder holder,
            long waiting,
            List<Waiter> queue,
            @Nullable Permits permits,
            List<Condition> conditions) {}

    /**
     * The permits of a semaphore.
     *
     * @param size how many may be in use, or -1 if not known
     * @param used how many are in use, or -1 if not known because the store could not be asked
     */
    record Permits(int size, int used) {}

    /**
     * A condition.
     *
     * @param waiting the number of requests of this process that await it
     */
    record Condition(String name, long waiting) {}

    /**
     * The holder of a lock.
     *
     * @param here whether the holder is in this process
     * @param remainingMillis the remaining time of the lease, or -1 if not known because the store could not be asked
     */
    record Holder(String label, boolean here, long token, long heldMillis, long remainingMillis) {}

    /** A waiter for a lock. */
    record Waiter(String label, long waitedMillis) {}

    /** A member of a cycle. It holds the lock that the previous member waits for. */
    record Member(String label, String holds, String waitsFor) {}
}
