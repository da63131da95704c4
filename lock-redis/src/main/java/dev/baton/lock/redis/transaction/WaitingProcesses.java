package dev.baton.lock.redis.transaction;

import dev.baton.lock.redis.transaction.WaitingProcess.Run;
import dev.baton.lock.store.AcquireCommand.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The processes that wait for one lock of an attempt, as the attempt will leave them. */
final class WaitingProcesses {

    /** Both keys outlive a stall of so many rechecks. */
    private static final int KEPT_RECHECKS = 14;

    private final LockTransaction attempt;
    private final WatchedLock lock;
    /** The processes that were read, and are not gone. */
    private final Map<String, WaitingProcess> alive = new HashMap<>();
    /** The processes that were read, and are gone. */
    private final Set<String> gone = new HashSet<>();
    /** Those of {@link #gone} that have a field to be removed. */
    private final Set<String> silent = new HashSet<>();

    /** The process that sends the command, or {@code null} if nothing was known of it. */
    private @Nullable WaitingProcess sender;

    private @Nullable Run run;
    private boolean runKnown;

    WaitingProcesses(LockTransaction attempt, WatchedLock lock) {
        this.attempt = attempt;
        this.lock = lock;
    }

    /** Returns the command that reads what is known of the process that sends the command of the attempt. */
    List<String> question(String process) {
        return List.of("HMGET", lock.wait, Run.FIELD, process);
    }

    /**
     * Takes the answer to the question. Returns the process even if it has been silent, or {@code null} if nothing is
     * known of it.
     */
    @Nullable
    WaitingProcess meet(@Nullable Object answer) {
        List<?> fields = LockTransaction.list(answer);
        run = Run.read(fields.get(0));
        runKnown = true;
        sender = WaitingProcess.read(fields.get(1));
        return sender;
    }

    /**
     * Says that the process that was met is alive, unless it said so less than a quarter of a recheck ago. Returns
     * whether it was said. A queue
     * that was empty before expires together with the wait key.
     */
    boolean hear(String process, Kind kind, long recheckMillis, String inbox) {
        List<@Nullable Object> read = attempt.askAll(List.of(List.of("PTTL", lock.queue), List.of("PTTL", lock.wait)));
        WaitingProcess before = sender;
        long queueMillis = LockTransaction.number(read.get(0));
        long waitMillis = LockTransaction.number(read.get(1));
        boolean first = queueMillis == -2;
        boolean refreshes = before == null || !before.wasHeardJustNow(kind, attempt.now, recheckMillis);
        if (refreshes) {
            WaitingProcess after = WaitingProcess.after(before, kind, inbox, attempt.now, recheckMillis);
            Run next = Run.after(run, attempt.now, recheckMillis);
            attempt.write("HSET", lock.wait, process, after.text(), Run.FIELD, next.text());
            // the wait key is not watched, and may expire before the commit: the write that may create it sets its
            // expiry
            queueMillis = Math.max(queueMillis, KEPT_RECHECKS * recheckMillis);
            waitMillis = Math.max(waitMillis, KEPT_RECHECKS * recheckMillis);
            attempt.write("PEXPIRE", lock.wait, Long.toString(waitMillis));
            run = next;
            alive.put(process, after);
        }
        if (refreshes || first) {
            attempt.write(
                    "PEXPIRE",
                    lock.queue,
                    Long.toString(first ? Math.max(queueMillis, Math.max(1, waitMillis)) : queueMillis));
        }
        return refreshes;
    }

    /** Reads what is known of these processes. */
    void read(Collection<String> processes) {
        Set<String> unknown = new LinkedHashSet<>(processes);
        unknown.removeAll(alive.keySet());
        unknown.removeAll(gone);
        if (unknown.isEmpty()) {
            return;
        }
        List<String> query = new ArrayList<>(List.of("HMGET", lock.wait, Run.FIELD));
        query.addAll(unknown);
        List<?> fields = LockTransaction.list(attempt.ask(query.toArray(String[]::new)));
        if (!runKnown) {
            run = Run.read(fields.get(0));
            runKnown = true;
        }
        int i = 1;
        for (String process : unknown) {
            Object text = fields.get(i++);
            WaitingProcess one = WaitingProcess.read(text);
            if (one != null && !one.isSilent(run)) {
                alive.put(process, one);
            } else {
                gone.add(process);
                if (text != null) {
                    silent.add(process);
                }
            }
        }
    }

    /** Returns a process that was read, or {@code null} if it is gone. Removes the field of a process that is gone. */
    @Nullable
    WaitingProcess find(String process) {
        if (silent.remove(process)) {
            attempt.write("HDEL", lock.wait, process);
        }
        return alive.get(process);
    }
}
