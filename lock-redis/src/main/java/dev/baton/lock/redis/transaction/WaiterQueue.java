package dev.baton.lock.redis.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Searches the queue of a lock for the first request that can be granted, as hand_over.lua does. Changes nothing. */
final class WaiterQueue {

    private static final int PAGE = 64;
    private static final int LOOK = 1024;

    /**
     * The next request.
     *
     * @param waiter the record of the request, or {@code null} if the request belongs to the current command
     */
    record Chosen(String id, @Nullable WaiterRecord waiter) {}

    /**
     * The result of a search.
     *
     * @param chosen the next request, or {@code null} if no request can be granted
     * @param gone the requests to remove from the queue, including the chosen one if it is queued
     * @param more whether another call would get further
     */
    record Found(@Nullable Chosen chosen, List<String> gone, boolean more) {}

    private final LockTransaction attempt;
    private final @Nullable Long seen;
    private final Map<String, Boolean> hears = new HashMap<>();
    private final List<String> gone = new ArrayList<>();

    /**
     * Begins a search.
     *
     * @param seen when an acquire was last seen, against which silence is measured, or {@code null} to read it from the
     *     wait key
     */
    WaiterQueue(LockTransaction attempt, @Nullable Long seen) {
        this.attempt = attempt;
        this.seen = seen == null ? lastSeen(attempt) : seen;
    }

    private static @Nullable Long lastSeen(LockTransaction attempt) {
        Object seen = attempt.ask("HGET", attempt.wait, "seen");
        return seen == null ? null : LockTransaction.number(seen);
    }

    /**
     * Searches the queue.
     *
     * @param mine the requests whose caller reads the answer
     * @param joining those of {@code mine} that are going to join behind the last one, in this order
     * @param leaving the request that is being ended, or empty if there is none
     */
    Found find(Set<String> mine, List<String> joining, String leaving) {
        int size = 1;
        for (int from = 0; from < LOOK; from += size, size = PAGE) {
            List<?> ids = LockTransaction.list(
                    attempt.ask("ZRANGE", attempt.queue, Integer.toString(from), Integer.toString(from + size - 1)));
            Chosen chosen = firstOf(ids, mine, leaving);
            if (chosen != null) {
                gone.add(chosen.id);
                return new Found(chosen, gone, false);
            }
            if (ids.size() < size) {
                Chosen last = joining.isEmpty() ? null : new Chosen(joining.get(0), null);
                return new Found(last, gone, false);
            }
        }
        return new Found(null, gone, !gone.isEmpty());
    }

    private @Nullable Chosen firstOf(List<?> ids, Set<String> mine, String leaving) {
        if (ids.isEmpty()) {
            return null;
        }
        List<String> query = new ArrayList<>(List.of("HMGET", attempt.wait));
        ids.forEach(id -> query.add(id.toString()));
        List<?> records = LockTransaction.list(attempt.ask(query.toArray(String[]::new)));
        for (int i = 0; i < ids.size(); i++) {
            String id = ids.get(i).toString();
            Object record = records.get(i);
            WaiterRecord waiter = WaiterRecord.read(record == null ? null : record.toString());
            if (mine.contains(id)) {
                return new Chosen(id, null);
            } else if (id.equals(leaving) || record == null) {
                gone.add(id);
            } else if (waiter != null && (waiter.isLate(attempt.now) || waiter.isSilent(seen))) {
                gone.add(id);
            } else if (waiter != null && (waiter.polls(attempt.now) || hears(waiter.inbox()))) {
                return new Chosen(id, waiter);
            }
        }
        return null;
    }

    private boolean hears(String inbox) {
        return hears.computeIfAbsent(inbox, channel -> hears(attempt, channel));
    }

    /** Returns whether an inbox has a subscriber, or {@code true} if that cannot be determined. */
    static boolean hears(LockTransaction attempt, String inbox) {
        List<?> counted = LockTransaction.list(attempt.ask("PUBSUB", "NUMSUB", inbox));
        return counted.size() < 2 || LockTransaction.number(counted.get(1)) > 0;
    }
}
