package dev.baton.lock.redis.transaction;

import dev.baton.lock.redis.key.StoredTexts;
import dev.baton.lock.redis.transaction.LockTransaction.Scored;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Searches the queue of a lock for the first request that can be granted, as the scripts do. */
final class WaiterQueue {

    private static final int PAGE = 64;
    private static final int LOOK = 1024;

    /**
     * The next request.
     *
     * @param waiter the record of the request, or {@code null} if the request belongs to the current command
     * @param process the process of {@code waiter}
     */
    record Chosen(
            String id,
            StoredTexts.@Nullable Waiter waiter,
            @Nullable WaitingProcess process) {}

    /**
     * The result of a search.
     *
     * @param chosen the next request, or {@code null} if no request can be granted
     * @param gone the records to remove from the queue, including that of the chosen request
     * @param more whether another call would get further
     */
    record Found(@Nullable Chosen chosen, List<String> gone, boolean more) {}

    private final LockTransaction attempt;
    private final WatchedLock lock;
    private final WaitingProcesses processes;
    private final Map<String, Boolean> hears = new HashMap<>();
    private final List<String> gone = new ArrayList<>();

    WaiterQueue(LockTransaction attempt, WatchedLock lock, WaitingProcesses processes) {
        this.attempt = attempt;
        this.lock = lock;
        this.processes = processes;
    }

    /** A waiter that this version can read. */
    private record Waiting(String record, long arrival, StoredTexts.Waiter waiter) {}

    /**
     * Searches the queue.
     *
     * @param mine the requests whose caller reads the answer
     * @param joining the requests of {@code mine} that get new places behind the last one, by arrival: ids and records
     * @param leaving the record that is being removed, or empty if there is none
     */
    Found find(Set<String> mine, Map<String, String> joining, String leaving) {
        int size = 1;
        for (int from = 0; from < LOOK; from += size, size = PAGE) {
            List<Scored> page = LockTransaction.scored(attempt.ask(
                    "ZRANGE", lock.queue, Integer.toString(from), Integer.toString(from + size - 1), "WITHSCORES"));
            Chosen chosen = firstOf(readable(page, joining.values(), leaving), mine);
            if (chosen != null) {
                return new Found(chosen, gone, false);
            }
            if (page.size() < size) {
                if (joining.isEmpty()) {
                    return new Found(null, gone, false);
                }
                Map.Entry<String, String> first = joining.entrySet().iterator().next();
                gone.add(first.getValue());
                return new Found(new Chosen(first.getKey(), null, null), gone, false);
            }
        }
        return new Found(null, gone, !gone.isEmpty());
    }

    /**
     * Returns the waiters that a transaction can grant or remove. A waiter in another mode or version is left alone, and
     * so is a waiter for several locks. Only a script can judge whether such a waiter comes first in its other queues.
     */
    private static List<Waiting> readable(List<Scored> page, Collection<String> joining, String leaving) {
        List<Waiting> waiters = new ArrayList<>();
        for (Scored one : page) {
            StoredTexts.Waiter waiter = StoredTexts.waiter(one.member());
            if (waiter != null
                    && !waiter.several()
                    && !joining.contains(one.member())
                    && !one.member().equals(leaving)) {
                waiters.add(new Waiting(one.member(), one.score(), waiter));
            }
        }
        return waiters;
    }

    private @Nullable Chosen firstOf(List<Waiting> waiters, Set<String> mine) {
        processes.read(waiters.stream().map(WaiterQueue::process).toList());
        for (Waiting one : waiters) {
            String id = one.waiter.id();
            if (mine.contains(id)) {
                gone.add(one.record);
                return new Chosen(id, null, null);
            }
            WaitingProcess process = processes.find(process(one));
            if (process == null || one.arrival < process.born() || one.waiter.isLate(one.arrival, attempt.now)) {
                gone.add(one.record);
            } else if (process.isAsking(attempt.now) || hears(process.inbox())) {
                gone.add(one.record);
                return new Chosen(id, one.waiter, process);
            }
        }
        return null;
    }

    private static String process(Waiting one) {
        return WaitingProcess.of(one.waiter.id());
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
