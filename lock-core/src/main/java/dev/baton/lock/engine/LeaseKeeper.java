package dev.baton.lock.engine;

import dev.baton.lock.engine.cohort.CohortRegistry;
import dev.baton.lock.engine.lease.LeaseMonitor;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.LossReasons;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.engine.ticket.Turn;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.LeaseClock;
import dev.baton.lock.time.TimeSource;
import java.util.concurrent.CompletableFuture;

/** Answers what a holder asks about its lease, and renews or downgrades it on the holder's behalf. Never waits. Thread-safe. */
public final class LeaseKeeper {

    private final TimeSource time;
    private final LeaseMonitor leases;
    private final LeaseDowngrader downgrader;

    LeaseKeeper(
            LockStore store,
            EngineSettings settings,
            EngineExecutors executors,
            TimeSource time,
            RequestRegistry registry,
            LeaseMonitor leases,
            CohortRegistry cohorts) {
        this.time = time;
        this.leases = leases;
        this.downgrader = new LeaseDowngrader(store, settings, executors, time, registry, leases, cohorts);
    }

    /** Returns whether an acquisition still has this grant, by the local clock as well. */
    public boolean isHeld(Acquisition acquisition, Grant grant) {
        return acquisition.phase() == grant && !isOver(acquisition, grant);
    }

    /** Returns whether the lease is over by the local clock. The lease is marked as lost then. */
    private boolean isOver(Acquisition acquisition, Grant grant) {
        if (!LeaseClock.isOver(grant.end(), time.nanoTime())) {
            return false;
        }
        Ticket ticket = acquisition.ticket();
        Grant held = ticket.grant();
        if (held != null && acquisition.phase() == grant) {
            leases.lost(ticket, held, LossReasons.ENDED);
        }
        acquisition.lost(ticket);
        return true;
    }

    /**
     * Renews the lease. The result is {@code false} if the lease was lost or is over; an acquisition that lost it is
     * marked as lost by then.
     *
     * @param leaseNanos the length of the lease from now, in nanoseconds
     */
    public CompletableFuture<Boolean> renew(Acquisition acquisition, Grant grant, long leaseNanos, long timeoutNanos) {
        Ticket ticket = acquisition.ticket();
        Turn turn = ticket.turn();
        if (turn != null) {
            return turn.done.thenCompose(turned -> turned
                    ? renew(acquisition, grant, leaseNanos, timeoutNanos)
                    : CompletableFuture.completedFuture(notOurs(acquisition, ticket)));
        }
        if (leaseNanos > 0 && leaseNanos != ticket.leaseNanos()) {
            ticket.extended();
        }
        // the ticket before the acquisition: a thread that passes the lock on ends the acquisition first
        Grant held = ticket.grant();
        if (held == null || acquisition.phase() != grant) {
            return CompletableFuture.completedFuture(notOurs(acquisition, ticket));
        }
        return leases.renewer()
                .renew(ticket, held, leaseNanos, timeoutNanos)
                .thenApply(ours -> ours || notOurs(acquisition, ticket));
    }

    /** Asks whether a holder still has its lease, without renewing it. The result is {@code false} if not. */
    public CompletableFuture<Boolean> ask(Acquisition acquisition, Grant grant, long timeoutNanos) {
        return renew(acquisition, grant, 0, timeoutNanos);
    }

    /**
     * Makes a reader of an acquisition that holds one lock alone. The result is {@code false} if the lease was lost. Before
     * there is an answer, the lease is valid until its present end, and the command is repeated.
     *
     * @param awaited whether the calling thread waits for the answer right away
     */
    public CompletableFuture<Boolean> downgrade(Acquisition acquisition, boolean awaited) {
        Grant grant = acquisition.grant();
        return grant == null || !isHeld(acquisition, grant)
                ? CompletableFuture.completedFuture(false)
                : downgrader.downgrade(acquisition, grant, awaited);
    }

    /**
     * Marks the acquisition as lost before the caller goes on. Another thread may have found the loss of the ticket
     * without having told the acquisition yet. Returns {@code false}.
     */
    private static boolean notOurs(Acquisition acquisition, Ticket ticket) {
        acquisition.lost(ticket);
        return false;
    }
}
