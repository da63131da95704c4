package dev.baton.lock.faults;

import dev.baton.lock.faults.Sight.Holder;
import dev.baton.lock.faults.Sight.Lock;
import dev.baton.lock.faults.Sight.Waiter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Writes sights for the tests of their checkers: at a millisecond of both clocks, of locks that are free until they are held. */
final class SightBuilder {

    private final int server;
    private final long millis;
    private final Map<String, Holder> holders = new LinkedHashMap<>();
    private final Map<String, List<Waiter>> queues = new LinkedHashMap<>();

    private SightBuilder(int server, long millis) {
        this.server = server;
        this.millis = millis;
    }

    static SightBuilder at(long millis) {
        return new SightBuilder(0, millis);
    }

    /** After a restart. */
    static SightBuilder later(long millis) {
        return new SightBuilder(1, millis);
    }

    SightBuilder held(String name, String request, long tokenMillis) {
        return held(name, request, tokenMillis, 1000);
    }

    SightBuilder held(String name, String request, long tokenMillis, long left) {
        holders.put(name, new Holder(request, micros(tokenMillis), left));
        return this;
    }

    /** One that is told by a message, waits for long and has just been heard of. */
    SightBuilder waits(String request, long arrivedMillis, String... names) {
        return waits(waiter(request, arrivedMillis, names));
    }

    SightBuilder waits(Waiter waiter) {
        waiter.names()
                .forEach(name ->
                        queues.computeIfAbsent(name, key -> new ArrayList<>()).add(waiter));
        return this;
    }

    /** For several it may be passed for a second. */
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

    /** One that asks again by then, in microseconds. */
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

    /** Silent: others have been heard of since. */
    static Waiter silent(Waiter waiter) {
        return new Waiter(
                waiter.request(), waiter.arrival(), 0, waiter.deadline(), waiter.pass(), waiter.names(), 0, true);
    }

    /** Its wait is over. */
    static Waiter late(Waiter waiter) {
        return until(waiter, 1);
    }

    /** It waits until then, in microseconds. */
    static Waiter until(Waiter waiter, long deadline) {
        return new Waiter(
                waiter.request(), waiter.arrival(), waiter.alive(), deadline, waiter.pass(), waiter.names(), 0, true);
    }

    Sight see() {
        Map<String, Lock> locks = new LinkedHashMap<>();
        for (String name : MixedWorker.NAMES) {
            List<Waiter> queue = queues.getOrDefault(name, List.of()).stream()
                    .sorted(Comparator.comparingLong(Waiter::arrival))
                    .toList();
            @Nullable Holder holder = holders.get(name);
            locks.put(name, new Lock(holder, micros(millis), queue));
        }
        return new Sight(server, nanos(millis), nanos(millis), micros(millis), locks);
    }

    static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    static long micros(long millis) {
        return TimeUnit.MILLISECONDS.toMicros(millis);
    }
}
