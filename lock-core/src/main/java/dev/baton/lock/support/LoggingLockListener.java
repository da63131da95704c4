package dev.baton.lock.support;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockState;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs lock events: one DEBUG line per grant, and one WARN line per request that waits too long. The warning is logged
 * while the request waits, and names the holder and the length of the queue. The values of each line are also key-value
 * pairs.
 */
final class LoggingLockListener implements LockListener {

    /** The category of these lines; part of the public API. */
    static final String CATEGORY = "dev.baton.lock";

    private static final Logger log = LoggerFactory.getLogger(CATEGORY);

    private final LockStore store;
    private final Supplier<@Nullable LockEngine> engine;
    private final CurrentLocks current;
    private final long slowNanos;
    /** The ids of requests for which a warning was logged. */
    private final Set<Long> warned = ConcurrentHashMap.newKeySet();
    /** Whether a check of the waiting requests is scheduled. */
    private final AtomicBoolean watching = new AtomicBoolean();

    /**
     * Creates the listener.
     *
     * @param slowWait how long a request may wait without a warning; zero never warns
     * @param engine supplies the running engine, or {@code null} if none runs
     */
    LoggingLockListener(LockStore store, TimeSource time, Duration slowWait, Supplier<@Nullable LockEngine> engine) {
        this.store = store;
        this.engine = engine;
        this.current = new CurrentLocks(time);
        this.slowNanos = slowWait.toNanos();
    }

    @Override
    public void asked(Asked event) {
        if (slowNanos > 0) {
            current.asked(event);
            watchAfter(slowNanos);
        }
    }

    @Override
    public void granted(Granted event) {
        over(event.request());
        if (log.isDebugEnabled()) {
            Request request = event.request();
            LockHolder before = event.waitedFor();
            log.atDebug()
                    .addKeyValue("lock", request.title())
                    .addKeyValue("scope", request.scope())
                    .addKeyValue("owner", LockNames.printable(request.owner()))
                    .addKeyValue("token", event.fencingToken())
                    .addKeyValue("waited_ms", event.waited().toMillis())
                    .addKeyValue("contended", event.contended())
                    .log(
                            "Lock '{}' granted to {} (token {}) after {} ms{}",
                            request.title(),
                            request.label(),
                            event.fencingToken(),
                            event.waited().toMillis(),
                            before == null ? "" : "; it was held by " + before.label());
        }
    }

    @Override
    public void timedOut(TimedOut event) {
        over(event.request());
    }

    @Override
    public void ended(Ended event) {
        over(event.request());
    }

    private void over(Request request) {
        if (slowNanos > 0) {
            current.forget(request);
            warned.remove(request.id());
        }
    }

    /** Schedules a check: one timer at a time, whatever the number of requests, and none if no request waits. */
    private void watchAfter(long nanos) {
        LockEngine running = engine.get();
        if (running != null
                && watching.compareAndSet(false, true)
                && running.executors().onAsker(nanos, this::look) == null) {
            watching.set(false);
        }
    }

    private void look() {
        watching.set(false);
        long next = Long.MAX_VALUE;
        for (CurrentLocks.Current waiting : current.waiting()) {
            long left = slowNanos - waiting.lasting().toNanos();
            if (left > 0) {
                next = Math.min(next, left);
            } else if (warned.add(waiting.request().id())) {
                warn(waiting);
            }
        }
        if (next < Long.MAX_VALUE) {
            watchAfter(next);
        }
    }

    private void warn(CurrentLocks.Current waiting) {
        Request request = waiting.request();
        LockEngine running = engine.get();
        if (running == null) {
            return;
        }
        LockName name = new LockName(request.namespace(), request.names().get(0));
        store.administration()
                .inspect(name, 0, running.settings().commandTimeoutNanos())
                .thenApply(state -> running.seen(name, state, 0))
                .whenComplete((state, failure) -> running.executors().callBack(() -> warn(waiting, state)));
        if (!current.isKnown(request)) {
            warned.remove(request.id());
        }
    }

    /** Logs the warning with what is known, because the store may not have answered. */
    private static void warn(CurrentLocks.Current waiting, @Nullable LockState state) {
        Request request = waiting.request();
        LockHolder holder = state == null ? null : state.holder().orElse(null);
        String queue = state == null ? "unknown" : Long.toString(state.waiting());
        log.atWarn()
                .addKeyValue("lock", request.title())
                .addKeyValue("scope", request.scope())
                .addKeyValue("owner", LockNames.printable(request.owner()))
                .addKeyValue("waited_ms", waiting.lasting().toMillis())
                .addKeyValue("holder", holder == null ? "unknown" : holder.label())
                .addKeyValue("queue", queue)
                .log(
                        "Lock '{}' still not granted to {} after {} ms (baton.log.slow-wait); held by {}; {} in its queue",
                        request.title(),
                        request.label(),
                        waiting.lasting().toMillis(),
                        holder == null ? "no known holder" : holder,
                        queue);
    }
}
