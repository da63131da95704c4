package dev.baton.lock.engine.wait;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockNames;
import dev.baton.lock.engine.lease.LeaseMonitor;
import dev.baton.lock.engine.ticket.StallMonitor;
import dev.baton.lock.engine.ticket.Taking;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.ForceAcquireCommand;
import dev.baton.lock.store.ForceAcquireReply;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds stuck holders, takes locks from their holders on behalf of tickets, and reports each such lock in the log and to the listeners.
 * Thread-safe; never waits.
 */
final class Takeovers {

    private static final Logger log = LoggerFactory.getLogger(Takeovers.class);

    private final LockStore store;
    private final EngineExecutors executors;
    private final TimeSource time;
    private final LeaseMonitor leases;

    Takeovers(LockStore store, EngineExecutors executors, TimeSource time, LeaseMonitor leases) {
        this.store = store;
        this.executors = executors;
        this.time = time;
        this.leases = leases;
    }

    /** Sends the first acquire of a ticket, which may take the locks. */
    CompletableFuture<AcquireReply> first(Ticket ticket, AcquireCommand acquire) {
        return ticket.spec().taking() == Taking.AT_ONCE
                ? take(ticket, acquire, ForceAcquireCommand.ANY, null)
                : store.acquire(acquire);
    }

    /**
     * Returns whether a busy answer shows that the holder is stuck.
     *
     * @param ask asks again, when the stall time is over
     */
    boolean isStuck(Ticket ticket, Busy answer, long sentAt, Runnable ask) {
        StallMonitor monitor = ticket.stallMonitor();
        return monitor != null && monitor.saw(answer.holder(), sentAt, time, executors, ask);
    }

    /** Takes the locks of a ticket from a stuck holder, unless another has one of them meanwhile. */
    CompletableFuture<AcquireReply> fromStuck(Ticket ticket, AcquireCommand acquire, LockHolder holder) {
        Duration stalled = Duration.ofNanos(ticket.stalledNanos(time.nanoTime()));
        return take(ticket, acquire, holder.fencingToken(), stalled);
    }

    private CompletableFuture<AcquireReply> take(
            Ticket ticket, AcquireCommand acquire, long expected, @Nullable Duration stalled) {
        long sentAt = time.nanoTime();
        CompletableFuture<ForceAcquireReply> answer = store.forceAcquire(new ForceAcquireCommand(acquire, expected));
        answer.whenComplete((reply, failure) -> {
            if (failure != null) {
                unanswered(ticket, expected, failure);
            }
        });
        return answer.thenApply(reply -> {
            if (reply.answer() instanceof Granted granted) {
                // a message says the same to other processes; this one must not pass on what it no longer holds
                leases.taken(ticket, granted.token());
                if (!reply.taken().isEmpty()) {
                    taken(ticket, granted.token(), reply.taken(), stalled, sentAt);
                }
            }
            return reply.acquired();
        });
    }

    /** Reports that a lock may have been taken. A command that was surely not carried out has taken none. */
    private static void unanswered(Ticket ticket, long expected, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof StoreException refusal && refusal.isUnexecuted()) {
            return;
        }
        log.atWarn()
                .addKeyValue("lock", ticket.title())
                .addKeyValue("owner", LockNames.printable(ticket.owner()))
                .log(
                        "Lock '{}' may have been taken from {} by {}: {}",
                        ticket.title(),
                        expected == ForceAcquireCommand.ANY ? "its holder" : "the holder with token " + expected,
                        ticket.label(),
                        String.valueOf(cause.getMessage()));
    }

    private void taken(Ticket ticket, long token, List<LockHolder> from, @Nullable Duration stalled, long sentAt) {
        LockHolder first = from.get(0);
        if (!ticket.isContended()) {
            ticket.overheard(new Busy(first, first.fencingToken()), sentAt);
        }
        String holders = from.size() == 1 ? first.toString() : from.toString();
        String why = stalled == null
                ? "by force"
                : "because that holder had kept it for " + stalled.toMillis()
                        + " ms of the wait, and the stall time is "
                        + Duration.ofNanos(ticket.spec().stallNanos()).toMillis() + " ms (onStuck STEAL)";
        log.atWarn()
                .addKeyValue("lock", ticket.title())
                .addKeyValue("owner", LockNames.printable(ticket.owner()))
                .addKeyValue("token", token)
                .addKeyValue("holder", first.label())
                .addKeyValue("holder_token", first.fencingToken())
                .log(
                        "Lock '{}' was taken from {} (token {}) by {} (token {}), {}; work under the old token may still"
                                + " continue",
                        ticket.title(),
                        holders,
                        first.fencingToken(),
                        ticket.label(),
                        token,
                        why);
        ticket.spec().events().stolen(from, stalled, executors);
    }
}
