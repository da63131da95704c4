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
import dev.baton.lock.store.DowngradeCommand;
import dev.baton.lock.store.DowngradeReply;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.WaitingCaller;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.LeaseClock;
import dev.baton.lock.time.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Overview. A downgrade has two tickets: that of the writer, and a new one of the reader.
 *
 *    writer:  HELD --> OVER (replaced); ended only if the store refuses the reader, or has not answered in time
 *    reader:  HELD, turning --answer--> HELD, with the token of the run
 *                       +-----refused, local end of the writer, release--> OVER: both tickets are ended
 *
 * From the command on, the process believes as a reader, until the local end of the writer. The command is repeated until
 * it is answered, or the reader is over.
 */
/** Turns writers into readers. Thread-safe. */
final class LeaseDowngrader {

    private static final Logger log = LoggerFactory.getLogger(LeaseDowngrader.class);

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LockStore store;
    private final EngineSettings settings;
    private final EngineExecutors executors;
    private final TimeSource time;
    private final RequestRegistry registry;
    private final LeaseMonitor leases;
    private final CohortRegistry cohorts;

    LeaseDowngrader(
            LockStore store,
            EngineSettings settings,
            EngineExecutors executors,
            TimeSource time,
            RequestRegistry registry,
            LeaseMonitor leases,
            CohortRegistry cohorts) {
        this.store = store;
        this.settings = settings;
        this.executors = executors;
        this.time = time;
        this.registry = registry;
        this.leases = leases;
        this.cohorts = cohorts;
    }

    /**
     * Makes a reader of an acquisition that holds one lock alone, and asks the store to do so. The future is complete when
     * the store has answered, or the reader is over. Its result is {@code false} if the lease was lost.
     *
     * @param awaited whether the calling thread waits for the answer right away
     */
    CompletableFuture<Boolean> downgrade(Acquisition acquisition, Grant grant, boolean awaited) {
        long now = time.nanoTime();
        Ticket writer = acquisition.ticket();
        Ticket reader = registry.reader(acquisition, now);
        Turn turn = reader.replaces(writer, grant, now);
        Grant reading = reader.lastGrant();
        Ticket next = cohorts.leaves(acquisition);
        Grant held = writer.grant();
        if (held == null || !leases.replace(writer, held) || !acquisition.turnsInto(reader, grant)) {
            registry.forget(reader);
            acquisition.lost(writer);
            cohorts.ask(next);
            return CompletableFuture.completedFuture(false);
        }
        leases.turns(reader, reading);
        ask(turn, awaited ? new WaitingCaller(settings.commandTimeoutNanos(), false) : null);
        cohorts.ask(next);
        return turn.done;
    }

    private void ask(Turn turn, @Nullable WaitingCaller caller) {
        Ticket reader = turn.reader();
        Ticket writer = turn.writer();
        Grant grant = reader.grant();
        if (grant == null) {
            turn.done.complete(false);
            return;
        }
        long sentAt = time.nanoTime();
        DowngradeCommand command = new DowngradeCommand(
                reader.names().get(0),
                writer.id(),
                turn.ask(settings.passMillis(), sentAt),
                settings.markMillis(writer.leaseNanos()),
                settings.commandTimeoutNanos(),
                caller);
        store.downgrade(command).whenComplete((reply, failure) -> {
            if (failure == null) {
                answered(turn, grant, reply, sentAt);
            } else {
                failed(turn, failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
            }
        });
    }

    private void answered(Turn turn, Grant grant, DowngradeReply reply, long sentAt) {
        Ticket reader = turn.reader();
        if (reply.token().isEmpty()) {
            leases.lost(reader, grant, LossReasons.UNKNOWN);
            reader.answered(false);
            turn.done.complete(false);
            return;
        }
        boolean held = turn.confirmed(reply.token().getAsLong(), LeaseClock.end(sentAt, reader.leaseNanos()));
        reader.answered(false);
        if (held) {
            registry.forget(turn.writer());
            leases.begun(reader, grant, sentAt, time.nanoTime());
        }
        turn.done.complete(held);
    }

    private void failed(Turn turn, @Nullable Throwable failure) {
        Ticket reader = turn.reader();
        log.debug("The downgrade of lock '{}' was not answered", reader.title(), failure);
        StoreException refusal = failure instanceof StoreException known
                ? known
                : new StoreException("the lock store failed: " + failure, true, failure);
        reader.failed(refusal, false);
        executors.onAsker(RETRY_NANOS, () -> ask(turn, null));
    }
}
