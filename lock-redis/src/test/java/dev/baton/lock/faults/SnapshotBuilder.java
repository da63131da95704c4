package dev.baton.lock.faults;

import dev.baton.lock.faults.Snapshot.Holder;
import dev.baton.lock.faults.Snapshot.Lock;
import dev.baton.lock.faults.Snapshot.Waiter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Builds snapshots for the tests of the checkers, at a millisecond of both clocks. Locks are free unless set to held.
 */
final class SnapshotBuilder {

    private final int server;
    private final long millis;
    private final Map<String, Holder> holders = new LinkedHashMap<>();
    private final Map<String, List<Waiter>> queues = new LinkedHashMap<>();

    private SnapshotBuilder(int server, long millis) {
        this.server = server;
        this.millis = millis;
    }

    static SnapshotBuilder at(long millis) {
        return new SnapshotBuilder(0, millis);
    }

    /** Returns a builder of a snapshot after a restart. */
    static SnapshotBuilder later(long millis) {
        return new SnapshotBuilder(1, millis);
    }

    SnapshotBuilder held(String name, String request, long tokenMillis) {
        return held(name, request, tokenMillis, 1000);
    }

    SnapshotBuilder held(String name, String request, long tokenMillis, long left) {
        holders.put(name, new Holder(request, micros(tokenMillis), left));
        return this;
    }

    /** Adds a live waiter with a long wait, which a message notifies. */
    SnapshotBuilder waits(String request, long arrivedMillis, String... names) {
        return waits(waiter(request, arrivedMillis, names));
    }

    SnapshotBuilder waits(Waiter waiter) {
        waiter.names()
                .forEach(name ->
                        queues.computeIfAbsent(name, key -> new ArrayList<>()).add(waiter));
        return this;
    }

    /** Returns a waiter. A waiter for several locks may be passed for a second. */
    static Waiter waiter(String request, long arrivedMillis, String... names) {
        long pass = names.length > 1 ? micros(arrivedMillis + 1000) : 0;
        return new Waiter(request, micros(arrivedMillis), micros(100_000), 0, pass, List.of(names), 0, true);
    }

    static Waiter deaf(Waiter waiter) {
        return new Waiter(
                waiter.request(),
                waiter.arrival(),
                waiter.alive(),
                waiter.deadline(),
                waiter.pass(),
                waiter.names(),
                0,
                false);
    }

    static Waiter asking(Waiter waiter) {
        return asking(waiter, micros(100_000));
    }

    /** Returns a polling waiter with its next recheck at the given time, in microseconds. */
    static Waiter asking(Waiter waiter, long until) {
        return new Waiter(
                waiter.request(),
                waiter.arrival(),
                waiter.alive(),
                waiter.deadline(),
                waiter.pass(),
                waiter.names(),
                until,
                false);
    }

    /** Returns a silent waiter: other waiters have asked since. */
    static Waiter silent(Waiter waiter) {
        return new Waiter(
                waiter.request(), waiter.arrival(), 0, waiter.deadline(), waiter.pass(), waiter.names(), 0, true);
    }

    /** Returns a waiter past its deadline. */
    static Waiter late(Waiter waiter) {
        return until(waiter, 1);
    }

    /** Returns a waiter with a deadline, in microseconds. */
    static Waiter until(Waiter waiter, long deadline) {
        return new Waiter(
                waiter.request(), waiter.arrival(), waiter.alive(), deadline, waiter.pass(), waiter.names(), 0, true);
    }

    Snapshot see() {
        Map<String, Lock> locks = new LinkedHashMap<>();
        for (String name : MixedWorker.NAMES) {
            List<Waiter> queue = queues.getOrDefault(name, List.of()).stream()
                    .sorted(Comparator.comparingLong(Waiter::arrival))
                    .toList();
            @Nullable Holder holder = holders.get(name);
            locks.put(name, new Lock(holder, micros(millis), queue));
        }
        return new Snapshot(server, nanos(millis), nanos(millis), micros(millis), locks);
    }

    static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    static long micros(long millis) {
        return TimeUnit.MILLISECONDS.toMicros(millis);
    }
}
