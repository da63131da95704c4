package dev.baton.lock.board;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the board knows of the locks. Durations are milliseconds. Immutable.
 *
 * @param problem why the store could not be asked; null: it was
 * @param listening whether those who wait here are told of grants
 * @param complete whether all keys of the store were gone through; otherwise other processes may hold more locks
 * @param hidden how many locks are left out because there are too many for a page
 * @param rows the locks, those with most waiters first, then those held longest
 * @param deadlocks circles of those who wait for each other
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
     * A lock.
     *
     * @param id names it to this process only, and says nothing about its key
     * @param namespace a nested namespace; empty: none
     * @param name sanitized unless it may be shown
     * @param holder null: nobody
     * @param waiting how many wait for it
     * @param queue the first of them, in their order
     */
    record Row(
            String id,
            String namespace,
            String name,
            @Nullable Holder holder,
            long waiting,
            List<Waiter> queue) {}

    /**
     * Who holds it.
     *
     * @param here whether that is this process
     * @param remainingMillis of the lease; -1: not known, as the store could not be asked
     */
    record Holder(String label, boolean here, long token, long heldMillis, long remainingMillis) {}

    /** One who waits. */
    record Waiter(String label, long waitedMillis) {}

    /** One of a circle: holds the lock that the one before waits for. */
    record Member(String label, String holds, String waitsFor) {}
}
