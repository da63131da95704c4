package dev.baton.lock.redis.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks through the queue of a lock for the first request that can be granted, as hand_over.lua does; changes nothing. */
final class WaiterQueue {

    private static final int PAGE = 64;
    private static final int LOOK = 1024;

    /**
     * Who is next.
     *
     * @param waiter its record; null: it is one of ours
     */
    record Chosen(String id, @Nullable WaiterRecord waiter) {}

    /**
     * What was found.
     *
     * @param chosen who is next; null: nobody can be granted
     * @param gone who is to be removed from the queue, with who is chosen
     * @param more another call would come further
     */
    record Found(@Nullable Chosen chosen, List<String> gone, boolean more) {}

    private final LockTransaction attempt;
    private final @Nullable Long seen;
    private final Map<String, Boolean> hears = new HashMap<>();
    private final List<String> gone = new ArrayList<>();

    /**
     * Begins a look.
     *
     * @param seen when an acquire was last seen, against which silence is measured; null: as the wait key says
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
     * Looks.
     *
     * @param mine requests whose caller reads the answer
     * @param joining those of them that are going to stand behind the last, in this order
     * @param leaving a request that is being ended; empty: none
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

    /** Whether somebody subscribes to an inbox, or that cannot be found out. */
    static boolean hears(LockTransaction attempt, String inbox) {
        List<?> counted = LockTransaction.list(attempt.ask("PUBSUB", "NUMSUB", inbox));
        return counted.size() < 2 || LockTransaction.number(counted.get(1)) > 0;
    }
}
