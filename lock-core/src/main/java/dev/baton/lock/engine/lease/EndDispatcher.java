package dev.baton.lock.engine.lease;

import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.engine.ticket.Turn;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.WaitingCaller;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.LeaseClock;
import dev.baton.lock.time.TimeSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends end commands and retries each command until the store acknowledges it. An end is idempotent and acts on its own
 * request only, so a retry may arrive late or twice. An end is dropped once everything of its request has expired in
 * the store. Thread-safe.
 */
public final class EndDispatcher {

    private static final Logger log = LoggerFactory.getLogger(EndDispatcher.class);

    private final ConcurrentHashMap<String, PendingEnd> owed = new ConcurrentHashMap<>();
    private final LockStore store;
    private final EngineSettings settings;
    private final EngineExecutors executors;
    private final TimeSource time;
    private final RequestRegistry registry;
    private final EndRetries retries;
    /** Receives grants that only the answer to an end reports. Written before the first end is sent. */
    private @Nullable GrantInbox inbox;
    /**
     * The order of the store throughout the last end that was sent alone and answered. While the order is the same, the
     * next end of that kind is carried out in turn.
     */
    private volatile long orderAlone = Long.MIN_VALUE;
    /** The same for an end that was sent as part of another command. */
    private volatile long orderCarried = Long.MIN_VALUE;

    /**
     * Creates the dispatcher.
     *
     * @param registry forgets every ticket whose end the store has acknowledged
     */
    public EndDispatcher(
            LockStore store,
            EngineSettings settings,
            EngineExecutors executors,
            TimeSource time,
            RequestRegistry registry) {
        this.store = store;
        this.settings = settings;
        this.executors = executors;
        this.time = time;
        this.registry = registry;
        this.retries = new EndRetries(executors);
    }

    /** Reports grants that only the answer to an end reports to an inbox. To be called before the first end is sent. */
    public void reportTo(GrantInbox receiver) {
        inbox = receiver;
    }

    /**
     * Ends a ticket that is over. The future never fails. It has the first answer, or {@code null} if the store
     * refused, the engine has stopped, or the end was dropped as pointless. The answer may be that to an earlier end:
     * a late busy answer may have ended the ticket between its release and this call.
     */
    public CompletableFuture<@Nullable EndReply> end(Ticket ticket) {
        return end(ticket, false);
    }

    /**
     * As {@link #end(Ticket)}.
     *
     * @param awaited whether the calling thread waits for the answer right away. The first end may then be carried out
     *     in this thread, within one command time-out
     */
    public CompletableFuture<@Nullable EndReply> end(Ticket ticket, boolean awaited) {
        Turn turn = ticket.turn();
        CompletableFuture<@Nullable EndReply> ended = end(ticket.names(), ticket.id(), ticket, awaited, null);
        if (turn == null) {
            return ended;
        }
        Ticket writer = turn.writer();
        // the store has not confirmed that the reader replaces the writer, so either of them may be the holder
        return ended.thenCombine(
                end(writer.names(), writer.id(), writer, awaited, null),
                (reply, other) -> reply != null && reply.role() == EndReply.Role.HOLDER ? reply : other);
    }

    /**
     * As {@link #end(Ticket, boolean)}, but sends the first end in another way.
     *
     * @param first the function that sends the first end; not called if the end is owed already
     */
    public CompletableFuture<@Nullable EndReply> end(
            Ticket ticket, boolean awaited, Function<EndCommand, CompletableFuture<EndReply>> first) {
        return end(ticket.names(), ticket.id(), ticket, awaited, first);
    }

    /** Ends a ticket that was given up, unless the store cannot know it: then the ticket is only forgotten. */
    public void withdraw(Ticket ticket) {
        if (ticket.mayBeInStore()) {
            end(ticket);
        } else {
            registry.forget(ticket);
        }
    }

    /** Ends a request that was forgotten long ago, but was granted a lock nevertheless. */
    public void end(List<LockName> names, String id) {
        end(names, id, null, false, null);
    }

    /**
     * Ends the holder of a lock if it is a request of this process that was forgotten. No message may say so: messages get
     * lost, and pollers have none.
     *
     * @param id the request that holds the lock, or empty if none is known
     */
    public void endIfForgotten(List<LockName> names, String id) {
        if (!id.isEmpty() && registry.isOurs(id) && registry.find(id) == null) {
            end(names, id);
        }
    }

    /**
     * Returns whether the store, as far as is known, carries out the end of a ticket before every command that is sent
     * from now on. The end of the ticket was sent just now. The condition is that the last end of its kind was carried
     * out in turn, and that the order is still the same. Returns {@code false} also if the end was answered meanwhile.
     */
    public boolean isInOrder(Ticket ticket) {
        PendingEnd sent = owed.get(ticket.id());
        return sent != null && store.order() == (sent.carried ? orderCarried : orderAlone);
    }

    /** Returns whether no end is owed. */
    public boolean isSettled() {
        return owed.isEmpty();
    }

    int size() {
        return owed.size();
    }

    /**
     * Returns how much longer the store may keep the lease of a ticket, in nanoseconds; 0 without a ticket. A lease that
     * is over keeps nothing, unless the store carried out a renewal whose answer was lost. A grant that comes late
     * keeps the whole lease.
     */
    private static long leftNanos(@Nullable Ticket ticket, long now) {
        if (ticket == null) {
            return 0;
        }
        return ticket.wasGranted() && !ticket.mayBeRenewed()
                ? Math.max(0, LeaseClock.remaining(ticket.lastGrant().end(), now))
                : ticket.leaseNanos();
    }

    private CompletableFuture<@Nullable EndReply> end(
            List<LockName> names,
            String id,
            @Nullable Ticket ticket,
            boolean awaited,
            @Nullable Function<EndCommand, CompletableFuture<EndReply>> first) {
        if (executors.isStopped()) {
            // no command can be sent any longer: what the request has in the store expires on its own
            return CompletableFuture.completedFuture(null);
        }
        PendingEnd fresh = new PendingEnd(names, id, ticket, first != null);
        PendingEnd known = owed.putIfAbsent(id, fresh);
        if (known != null) {
            return known.answered;
        }
        // a caller that has released a lock waits for the answer, whatever interrupts it
        fresh.send(first, awaited ? new WaitingCaller(settings.commandTimeoutNanos(), false) : null);
        return fresh.answered;
    }

    /** One end, from its first attempt until it is answered. */
    private final class PendingEnd implements EndRetries.Retry {

        private final CompletableFuture<@Nullable EndReply> answered = new CompletableFuture<>();
        private final List<LockName> names;
        private final String id;
        private final @Nullable Ticket ticket;
        private final long markMillis;
        private final long pointlessAt;
        /** Whether the first attempt is part of another command. */
        private final boolean carried;

        /** Whether an earlier attempt may have been carried out without an answer. */
        private volatile boolean mayBeDone;

        PendingEnd(List<LockName> names, String id, @Nullable Ticket ticket, boolean carried) {
            this.names = names;
            this.id = id;
            this.ticket = ticket;
            this.carried = carried;
            this.markMillis = settings.markMillis(ticket == null ? 0 : ticket.leaseNanos());
            long now = time.nanoTime();
            this.pointlessAt = now + Math.max(leftNanos(ticket, now), TimeUnit.MILLISECONDS.toNanos(markMillis));
        }

        @Override
        public CompletableFuture<Boolean> retry() {
            return send(null, null);
        }

        @Override
        public boolean dropIfPointless() {
            if (time.nanoTime() - pointlessAt <= 0) {
                return false;
            }
            log.debug("Request {} of lock '{}' no longer needs to be ended", id, AcquisitionSpec.title(names));
            done();
            return true;
        }

        /**
         * Sends the end, alone if {@code how} is {@code null}. The result says whether the end was answered.
         *
         * @param caller the calling thread, or {@code null} if this thread does not wait for the answer right away
         */
        CompletableFuture<Boolean> send(
                @Nullable Function<EndCommand, CompletableFuture<EndReply>> how, @Nullable WaitingCaller caller) {
            long order = store.order();
            long sentAt = time.nanoTime();
            boolean marked = ticket != null && ticket.isDoubtful();
            long keep = ticket == null ? 0 : ticket.keepMillis(sentAt);
            EndCommand end = new EndCommand(
                    names,
                    id,
                    ticket == null || !ticket.mayBeQueued() ? null : ticket.request(),
                    keep,
                    marked ? markMillis : 0,
                    settings.commandTimeoutNanos(),
                    caller);
            CompletableFuture<EndReply> sent = how == null ? store.end(end) : how.apply(end);
            return sent.handle((reply, failure) -> {
                if (failure == null) {
                    tell(reply, sentAt);
                    if (store.order() == order) {
                        cameInTurn(order, how != null);
                    }
                    answered(reply);
                } else {
                    failed(failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
                }
                return failure == null;
            });
        }

        /**
         * Reports a grant, or a possible grant, to the inbox. Called before the caller that ended its request
         * continues, because the next holder waits for this report.
         */
        private void tell(EndReply reply, long sentAt) {
            GrantInbox receiver = inbox;
            if (receiver == null) {
                return;
            }
            try {
                if (reply.token().isPresent()) {
                    receiver.handedOver(
                            names, reply.handedTo().get(0), reply.token().getAsLong(), sentAt);
                } else if (names.size() == 1
                        && reply.role() == EndReply.Role.NOTHING
                        && (reply.possiblyRepeated() || mayBeDone)) {
                    receiver.answerLost(names.get(0));
                }
            } catch (RuntimeException ex) {
                // the end was carried out regardless, and the waiter learns of its grant at its next recheck
                log.error("Handling the answer to the end of lock '{}' failed", AcquisitionSpec.title(names), ex);
            }
        }

        private void cameInTurn(long order, boolean byAnother) {
            if (byAnother) {
                orderCarried = order;
            } else {
                orderAlone = order;
            }
        }

        private void answered(EndReply reply) {
            EndReply said = mayBeDone ? reply.repeated() : reply;
            answered.complete(ticket == null ? said : ticket.endAnswered(said));
            if (reply.incomplete()) {
                mayBeDone = true;
                executors.onAsker(0, () -> send(null, null));
            } else {
                done();
            }
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // one attempt at a time
        private void failed(@Nullable Throwable failure) {
            boolean passing = failure instanceof StoreException ex && ex.isPassing();
            mayBeDone |= !(failure instanceof StoreException ex && ex.isUnexecuted());
            if (!passing && !answered.isDone()) {
                answered.complete(null);
                log.warn(
                        "The end of a request for lock '{}' was refused; it is retried, and the lock comes free when its lease"
                                + " ends at the latest",
                        AcquisitionSpec.title(names),
                        failure);
            }
            if (!dropIfPointless()) {
                retries.add(this);
            }
        }

        private void done() {
            // a caller that waits for the answer must not wait forever
            answered.complete(null);
            owed.remove(id, this);
            if (ticket != null) {
                registry.forget(ticket);
            }
        }
    }
}
