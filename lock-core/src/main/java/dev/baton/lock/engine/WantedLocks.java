package dev.baton.lock.engine;

import dev.baton.lock.engine.lease.LeaseMonitor;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.ticket.RequestedActions;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Overview. A request that waits for long asks the holder to give the lock up. One look serves all requests of a process,
 * at most once per set time and lock.
 *
 *    waiting process: look --holder here--> its actions
 *                       +----elsewhere----> store --message--> process of the holder: requested --> its actions
 */
/** Tells holders that other requests have waited for their locks for long. Thread-safe; never waits. */
final class WantedLocks {

    private static final Logger log = LoggerFactory.getLogger(WantedLocks.class);

    /** The part of the set time that lies between two looks at least. */
    private static final int PART = 20;

    private final LockStore store;
    private final EngineSettings settings;
    private final EngineExecutors executors;
    private final TimeSource time;
    private final RequestRegistry registry;
    private final LeaseMonitor leases;

    private final AtomicBoolean scheduled = new AtomicBoolean();
    /** When the holders of a lock were last told. Used by the thread that asks the store alone. */
    private final Map<LockName, Long> told = new HashMap<>();

    WantedLocks(
            LockStore store,
            EngineSettings settings,
            EngineExecutors executors,
            TimeSource time,
            RequestRegistry registry,
            LeaseMonitor leases) {
        this.store = store;
        this.settings = settings;
        this.executors = executors;
        this.time = time;
        this.registry = registry;
        this.leases = leases;
    }

    /** Watches a request that may wait, and is listed already. */
    void watch() {
        long after = settings.requestAfterNanos();
        if (after > 0 && !scheduled.get() && scheduled.compareAndSet(false, true)) {
            schedule(after);
        }
    }

    /** Runs the actions of this process's holders of a lock, because another request has waited for it for long. */
    void requested(LockName name) {
        long now = time.nanoTime();
        for (Ticket ticket : leases.holding(name)) {
            Acquisition holder = ticket.holding();
            RequestedActions actions = holder == null ? null : holder.requestedActions();
            if (actions != null) {
                // a message that comes a little early must not be the one that is left out
                long pause = settings.requestAfterNanos() - settings.requestAfterNanos() / PART;
                actions.due(now, pause).forEach(executors::callBack);
            }
        }
    }

    private void schedule(long nanos) {
        if (executors.onAsker(nanos, this::look) == null) {
            scheduled.set(false);
        }
    }

    private void look() {
        long after = settings.requestAfterNanos();
        long now = time.nanoTime();
        long next = Long.MAX_VALUE;
        Set<LockName> wanted = new HashSet<>();
        for (Acquisition waiting : registry.waiting()) {
            long left = waiting.askedAt() + after - now;
            if (left > 0) {
                next = Math.min(next, left);
            } else {
                wanted.addAll(waiting.names());
            }
        }
        told.keySet().retainAll(wanted);
        for (LockName name : wanted) {
            Long last = told.get(name);
            long left = last == null ? 0 : last + after - now;
            if (left <= 0) {
                told.put(name, now);
                tell(name);
                left = after;
            }
            next = Math.min(next, left);
        }
        if (next < Long.MAX_VALUE) {
            schedule(Math.max(next, after / PART));
            return;
        }
        scheduled.set(false);
        // a request that was listed meanwhile has seen the old value, and has scheduled nothing
        if (!registry.waiting().isEmpty()) {
            watch();
        }
    }

    private void tell(LockName name) {
        requested(name);
        for (Ticket ticket : leases.holding(name)) {
            if (!ticket.spec().shared().contains(name)) {
                return;
            }
        }
        store.tellHolders(name, settings.commandTimeoutNanos()).whenComplete((count, failure) -> {
            if (failure != null) {
                log.debug("The holders of lock '{}' were not told that it is wanted", name.name(), failure);
            }
        });
    }
}
