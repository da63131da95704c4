package dev.baton.lock.support;

import dev.baton.lock.LockListener.Request;
import dev.baton.lock.LockState;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the requests that wait too long. Keeps no books: a check looks at the requests that wait at that moment. Each
 * request crosses the limit between two checks, and is reported by the second one.
 */
final class SlowWaitMonitor {

    /** The part of the limit that lies between two checks at least: requests that wait together are reported together. */
    private static final int PART = 20;

    private final LockStore store;
    private final long slowNanos;
    private final Supplier<@Nullable LockEngine> engine;
    private final Report report;
    /** The check that is scheduled, or {@code null} if there is none. */
    private final AtomicReference<@Nullable Check> scheduled = new AtomicReference<>();
    /** The time of the last check: what had crossed the limit by then was reported. */
    private volatile long reportedUntil;

    /** Receives slow waits, on a callback thread. A request that ends while the store is asked is not reported. */
    @FunctionalInterface
    interface Report {

        /**
         * Reports requests of this process that wait for the same locks.
         *
         * @param longest the request that has waited for the longest time
         * @param waited how long it has waited
         * @param requests the number of requests, with this one
         * @param state the state of the first of the locks, or {@code null} if the store did not answer
         */
        void slow(Request longest, Duration waited, int requests, @Nullable LockState state);
    }

    /**
     * Creates the monitor.
     *
     * @param slowWait how long a request may wait without a report; zero never reports
     * @param engine supplies the running engine, or {@code null} if none runs
     */
    SlowWaitMonitor(
            LockStore store, TimeSource time, Duration slowWait, Supplier<@Nullable LockEngine> engine, Report report) {
        this.reportedUntil = time.nanoTime();
        this.store = store;
        this.slowNanos = slowWait.toNanos();
        this.engine = engine;
        this.report = report;
    }

    /** Watches the requests that begin to wait now. One timer serves all requests, and ends when no request waits. */
    void watch() {
        if (slowNanos > 0) {
            LockEngine running = engine.get();
            Check known = scheduled.get();
            // the timer of an engine that was stopped is gone
            if (running != null && (known == null || known.running != running)) {
                Check next = new Check(running);
                if (scheduled.compareAndSet(known, next)) {
                    schedule(next, slowNanos);
                }
            }
        }
    }

    private void schedule(Check next, long nanos) {
        if (next.running.executors().onAsker(nanos, () -> look(next)) == null) {
            scheduled.compareAndSet(next, null);
        }
    }

    private void look(Check check) {
        // first: a request that is not found below finds no check, and schedules one
        if (!scheduled.compareAndSet(check, null)) {
            return;
        }
        long now = check.running.time().nanoTime();
        long after = reportedUntil;
        reportedUntil = now;
        long next = Long.MAX_VALUE;
        Map<List<LockName>, List<Acquisition>> slow = new LinkedHashMap<>();
        for (Acquisition waiting : check.running.waiting()) {
            long crossesAt = waiting.askedAt() + slowNanos;
            if (crossesAt - now > 0) {
                next = Math.min(next, crossesAt - now);
            } else if (crossesAt - after > 0) {
                slow.computeIfAbsent(waiting.names(), names -> new ArrayList<>())
                        .add(waiting);
            }
        }
        slow.forEach((names, waiting) -> report(check.running, names.get(0), waiting, now));
        if (next < Long.MAX_VALUE) {
            Check soon = new Check(check.running);
            // instead of a check that a new request has scheduled meanwhile, which would come later
            scheduled.set(soon);
            schedule(soon, Math.max(next, slowNanos / PART));
        }
    }

    private void report(LockEngine running, LockName name, List<Acquisition> slow, long now) {
        store.administration()
                .inspect(name, 0, running.settings().commandTimeoutNanos())
                .thenApply(state -> running.seen(name, state, 0))
                .whenComplete((state, failure) -> running.executors().callBack(() -> report(slow, now, state)));
    }

    private void report(List<Acquisition> slow, long now, @Nullable LockState state) {
        // the answer takes time: a request that ended meanwhile has told its caller how it ended
        List<Acquisition> waiting = slow.stream().filter(Acquisition::isWaiting).toList();
        waiting.stream()
                .reduce((one, other) -> one.askedAt() - other.askedAt() <= 0 ? one : other)
                .ifPresent(longest -> report.slow(
                        longest.events().request(), Duration.ofNanos(now - longest.askedAt()), waiting.size(), state));
    }

    /**
     * A check that is scheduled, compared by identity.
     *
     * @param running the engine whose requests are checked
     */
    private record Check(LockEngine running) {}
}
