package dev.baton.lock.engine.lease;

import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.LossReasons;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.ExtendCommand;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.LeaseClock;
import dev.baton.lock.time.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews each lease after a third of its length. Leases that are due at about the same time share a slot, with one
 * timer, and one command for up to 256 leases of one part of the store. Thread-safe.
 */
public final class LeaseRenewer {

    private static final Logger log = LoggerFactory.getLogger(LeaseRenewer.class);

    /** Receives the leases that this process has lost. */
    @FunctionalInterface
    public interface OnLost {
        void lost(Ticket ticket, Grant grant, String reason);
    }

    private static final long LEAST_TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /**
     * An empty slot that is due sooner than this is kept: nearly every lease is released soon, and the next lease
     * shares the slot.
     */
    private static final long KEPT_EMPTY_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final ConcurrentHashMap<Long, Slot> slots = new ConcurrentHashMap<>();
    private final LockStore store;
    private final EngineSettings settings;
    private final RenewalPolicy policy;
    private final EngineExecutors executors;
    private final TimeSource time;
    private final OnLost onLost;

    public LeaseRenewer(
            LockStore store, EngineSettings settings, EngineExecutors executors, TimeSource time, OnLost onLost) {
        this.store = store;
        this.settings = settings;
        this.policy = new RenewalPolicy(settings.maxHoldNanos());
        this.executors = executors;
        this.time = time;
        this.onLost = onLost;
    }

    /** Begins to renew a lease that was granted by a command sent at the given time. */
    void begin(Ticket ticket, long sentAt) {
        schedule(ticket, policy.next(sentAt, ticket.leaseNanos()));
    }

    void end(Ticket ticket, Grant grant) {
        Long renewal = grant.slot;
        if (renewal == null) {
            return;
        }
        slots.computeIfPresent(renewal, (due, slot) -> {
            slot.tickets.remove(ticket);
            if (!slot.tickets.isEmpty() || due - time.nanoTime() < KEPT_EMPTY_NANOS) {
                return slot;
            }
            slot.cancel();
            return null;
        });
    }

    /** Renews the given leases now, or only asks about those that are not renewed automatically. */
    public void askNow(Collection<Ticket> tickets) {
        List<Ticket> held = tickets.stream()
                .filter(ticket -> ticket.grant() != null && ticket.turn() == null)
                .toList();
        batches(held).forEach(batch -> send(batch, false, false));
    }

    /** Renews one lease now, because its cautious local end is much too early. */
    void renewNow(Ticket ticket) {
        if (ticket.grant() != null) {
            send(List.of(ticket), true, false);
        }
    }

    /**
     * Renews one lease for its holder. The result is {@code false} if the lease was lost.
     *
     * @param leaseNanos the length of the lease from now, in nanoseconds, or 0 to ask only whether it is held
     */
    public CompletableFuture<Boolean> renew(Ticket ticket, Grant grant, long leaseNanos, long timeoutNanos) {
        long sentAt = time.nanoTime();
        long leaseMillis = TimeUnit.NANOSECONDS.toMillis(leaseNanos);
        RenewCommand.Renewal renewal = new RenewCommand.Renewal(ticket.names(), ticket.id(), leaseMillis);
        return store.renew(new RenewCommand(List.of(renewal), timeoutNanos))
                .thenApply(answers -> settle(ticket, grant, answers.get(0), sentAt, leaseMillis));
    }

    /**
     * Extends the grant of a ticket as if it had been granted just now, if no other request waits.
     *
     * @param reserve how many tokens to reserve for passes of the lock
     * @param passingNanos how long passes may continue after {@code sentAt}, in nanoseconds
     * @param sentAt the time from which the lease counts, just before now
     * @return the token as in {@link ExtendReply#token}; fails if there was no answer
     */
    public CompletableFuture<OptionalLong> extend(
            Ticket ticket, Grant grant, int reserve, long passingNanos, long sentAt) {
        if (!policy.mayExtend(grant.grantedAt, sentAt + passingNanos)) {
            return CompletableFuture.completedFuture(OptionalLong.empty());
        }
        long lease = ticket.leaseNanos() / 1_000_000;
        ExtendCommand command = new ExtendCommand(
                ticket.names().get(0), ticket.id(), lease, reserve, timeoutNanos(List.of(ticket), sentAt));
        return store.extend(command).thenApply(reply -> {
            List<LockName> missing = reply.held() ? List.of() : ticket.names();
            boolean ours = settle(ticket, grant, missing, sentAt, reply.token().isPresent() ? lease : 0);
            return ours ? reply.token() : OptionalLong.empty();
        });
    }

    /** The leases that are due at one time, and their timer. */
    private static final class Slot {

        final Set<Ticket> tickets = ConcurrentHashMap.newKeySet();
        /** The timer, or {@code null} if the engine has stopped. */
        private final @Nullable ScheduledFuture<?> timer;

        Slot(@Nullable ScheduledFuture<?> timer) {
            this.timer = timer;
        }

        void cancel() {
            if (timer != null) {
                timer.cancel(false);
            }
        }
    }

    private void schedule(Ticket ticket, long at) {
        Grant grant = ticket.grant();
        if (grant == null) {
            return;
        }
        Long slot = RenewalPolicy.slot(at, ticket.leaseNanos());
        grant.slot = slot;
        slots.compute(slot, (due, known) -> {
            Slot shared = known == null ? new Slot(executors.onAsker(due - time.nanoTime(), () -> fire(due))) : known;
            shared.tickets.add(ticket);
            return shared;
        });
        if (ticket.grant() == null) {
            end(ticket, grant);
        }
    }

    private void fire(long slot) {
        Slot due = slots.remove(slot);
        if (due == null) {
            return;
        }
        long now = time.nanoTime();
        List<Ticket> tickets = new ArrayList<>(due.tickets.size());
        for (Ticket ticket : due.tickets) {
            Grant grant = ticket.grant();
            if (grant != null && policy.mayRenew(grant.grantedAt, now)) {
                tickets.add(ticket);
            } else if (grant != null) {
                log.warn(
                        "Lock '{}' has been held by {} for baton.max-hold and is no longer renewed",
                        ticket.title(),
                        ticket.label());
            }
        }
        batches(tickets).forEach(batch -> send(batch, true, true));
    }

    /** Divides leases into commands: at most 256 leases each, all in one part of the store. */
    private List<List<Ticket>> batches(List<Ticket> tickets) {
        Map<Integer, List<Ticket>> shards = new LinkedHashMap<>();
        for (Ticket ticket : tickets) {
            int shard = store.shard(ticket.names().get(0));
            shards.computeIfAbsent(shard, first -> new ArrayList<>()).add(ticket);
        }
        List<List<Ticket>> batches = new ArrayList<>();
        for (List<Ticket> shard : shards.values()) {
            for (int from = 0; from < shard.size(); from += RenewCommand.MAX_RENEWALS) {
                batches.add(shard.subList(from, Math.min(shard.size(), from + RenewCommand.MAX_RENEWALS)));
            }
        }
        return batches;
    }

    /**
     * Sends one command.
     *
     * @param extend whether to extend all leases, including those that are not renewed automatically
     * @param repeat whether to schedule the leases again afterwards
     */
    private void send(List<Ticket> tickets, boolean extend, boolean repeat) {
        long sentAt = time.nanoTime();
        List<RenewCommand.Renewal> renewals = new ArrayList<>(tickets.size());
        for (Ticket ticket : tickets) {
            Grant grant = ticket.grant();
            boolean renewable = ticket.isRenewed() && grant != null && policy.mayRenew(grant.grantedAt, sentAt);
            long lease = renewable || extend ? ticket.leaseNanos() / 1_000_000 : 0;
            renewals.add(new RenewCommand.Renewal(ticket.names(), ticket.id(), lease));
        }
        store.renew(new RenewCommand(renewals, timeoutNanos(tickets, sentAt))).whenComplete((answers, failure) -> {
            for (int i = 0; i < tickets.size(); i++) {
                Ticket ticket = tickets.get(i);
                Grant grant = ticket.grant();
                if (grant == null) {
                    continue;
                }
                if (failure != null) {
                    log.debug("Renewing lock '{}' failed", ticket.title(), failure);
                    if (repeat) {
                        schedule(ticket, policy.retry(time.nanoTime(), ticket.leaseNanos()));
                    }
                    continue;
                }
                boolean ours = settle(
                        ticket, grant, answers.get(i), sentAt, renewals.get(i).leaseMillis());
                if (repeat && ours) {
                    schedule(ticket, policy.next(sentAt, ticket.leaseNanos()));
                }
            }
        });
    }

    /**
     * Applies an answer to a lease. A lease that is over by the local clock is lost, whatever the answer. Returns
     * whether the lease is still valid.
     *
     * @param missing the locks of the ticket that it no longer holds
     * @param leaseMillis the requested length in milliseconds, or 0 if the command only asked whether the lease is held
     */
    private boolean settle(Ticket ticket, Grant grant, List<LockName> missing, long sentAt, long leaseMillis) {
        if (!missing.isEmpty()) {
            ticket.missing(missing);
            onLost.lost(ticket, grant, LossReasons.UNKNOWN);
            return false;
        }
        if (LeaseClock.isOver(grant.end(), time.nanoTime())) {
            onLost.lost(ticket, grant, LossReasons.ENDED);
            return false;
        }
        if (leaseMillis > 0) {
            grant.extend(LeaseClock.end(sentAt, TimeUnit.MILLISECONDS.toNanos(leaseMillis)));
        }
        return true;
    }

    /** Returns a time-out that leaves time for another attempt before the first of these leases ends. */
    private long timeoutNanos(List<Ticket> tickets, long now) {
        long timeout = settings.commandTimeoutNanos();
        for (Ticket ticket : tickets) {
            Grant grant = ticket.grant();
            if (grant != null) {
                timeout = Math.min(timeout, LeaseClock.remaining(grant.end(), now) / 2);
            }
        }
        return Math.max(LEAST_TIMEOUT_NANOS, timeout);
    }
}
