package dev.baton.lock.engine;

import dev.baton.lock.LockException;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.engine.cohort.CohortRegistry;
import dev.baton.lock.engine.lease.EndDispatcher;
import dev.baton.lock.engine.lease.LeaseMonitor;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.wait.AcquireDispatcher;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import org.jspecify.annotations.Nullable;

/** The conditions of the locks of one engine. Thread-safe. */
public final class Conditions {

    private final ConditionWaits waits;

    Conditions(
            LockStore store,
            EngineSettings settings,
            EngineExecutors executors,
            TimeSource time,
            RequestRegistry registry,
            LeaseMonitor leases,
            CohortRegistry cohorts,
            AcquireDispatcher dispatcher,
            EndDispatcher ends,
            GrantWait grants) {
        ConditionEntry entry =
                new ConditionEntry(store, settings, executors, time, registry, leases, cohorts, dispatcher, ends);
        this.waits = new ConditionWaits(store, settings, time, dispatcher, entry, grants);
    }

    /**
     * Releases a lock, awaits a condition, and gets the lock back. If an interrupt has ended the wait, or came meanwhile,
     * the interrupt flag of the thread is set.
     *
     * @param holder the acquisition that holds the lock alone by this grant; it is over afterwards
     * @return the outcome, or {@code null} if the lock turned out to be lost; the holder is marked as lost then
     * @throws LockException if the lock does not come back. Nothing is held then, and a signal is passed on
     */
    public @Nullable AwaitOutcome await(Acquisition holder, Grant grant, AwaitRequest request) {
        return waits.await(holder, grant, request);
    }

    /**
     * Signals requests that await a condition. Waits for the answers of the store, each at most one command time-out.
     *
     * @param id the ticket that has to hold the lock, or empty if none has to
     * @param all whether to signal all requests instead of the first; only with the lock, so that no other comes meanwhile
     * @param owner the only owner to signal, or empty for any
     * @return {@code false} if the ticket does not hold the lock
     * @throws LockStoreException if the store did not answer; the signal may have been given or not
     */
    public boolean signal(LockName name, String id, String condition, boolean all, String owner) {
        return waits.signal(name, id, condition, all, owner);
    }
}
