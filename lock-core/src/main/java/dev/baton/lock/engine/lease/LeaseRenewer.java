package dev.baton.lock.engine.lease;

import dev.baton.lock.LockNames;
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Grant;
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
import java.util.List;
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
 * timer and one command for up to 256 leases. Thread-safe.
 */
public final class LeaseRenewer {

    private static final Logger log = LoggerFactory.getLogger(LeaseRenewer.class);

    /** Receives the leases that this process has lost. */
    @FunctionalInterface
    public interface OnLost {
        void lost(Claim claim, Grant grant, String reason);
    }

    private static final long LEAST_TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    public static final String ENDED = "its lease ended and was not renewed";
    public static final String RESTARTED =
            "the lock template was stopped and started again, which makes it another holder";
    public static final String UNKNOWN = "Redis no longer knew it: it had expired, or was deleted";

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
    void begin(Claim claim, long sentAt) {
        schedule(claim, policy.next(sentAt, claim.leaseNanos()));
    }

    void end(Claim claim, Grant grant) {
        slots.computeIfPresent(grant.slot, (due, slot) -> {
            slot.claims.remove(claim);
            if (!slot.claims.isEmpty() || due - time.nanoTime() < KEPT_EMPTY_NANOS) {
                return slot;
            }
            slot.cancel();
            return null;
        });
    }

    /** Renews the given leases now, or only asks about those that are not renewed automatically. */
    public void askNow(Collection<Claim> claims) {
        List<Claim> held =
                claims.stream().filter(claim -> claim.grant() != null).toList();
        for (int from = 0; from < held.size(); from += RenewCommand.MAX_RENEWALS) {
            send(held.subList(from, Math.min(held.size(), from + RenewCommand.MAX_RENEWALS)), false, false);
        }
    }

    /** Renews one lease now, because its cautious local end is much too early. */
    void renewNow(Claim claim) {
        if (claim.grant() != null) {
            send(List.of(claim), true, false);
        }
    }

    /** Renews one lease for its holder. The result is {@code false} if the lease was lost or is over. */
    public CompletableFuture<Boolean> renew(Claim claim, Grant grant, long leaseNanos, long timeoutNanos) {
        Claim carrier = claim.carrier();
        if (leaseNanos > 0 && leaseNanos != carrier.leaseNanos()) {
            carrier.extended();
        }
        // the carrier before the claim: a thread that passes the lock on ends the claim first, and then looks at the
        // carrier
        Grant held = carrier == claim ? grant : carrier.grant();
        if (held == null || claim.phase() != grant) {
            return CompletableFuture.completedFuture(notOurs(claim, grant));
        }
        long sentAt = time.nanoTime();
        RenewCommand.Renewal renewal = new RenewCommand.Renewal(claim.names, carrier.id, leaseNanos / 1_000_000);
        return store.renew(new RenewCommand(List.of(renewal), timeoutNanos)).thenApply(answers -> {
            return settle(carrier, held, answers.get(0), sentAt, renewal.leaseMillis()) || notOurs(claim, grant);
        });
    }

    /**
     * Marks a member as lost before the caller goes on. Another thread may have found the loss without having notified
     * the member yet. Returns {@code false}.
     */
    private boolean notOurs(Claim claim, Grant grant) {
        if (claim.carrier() != claim) {
            onLost.lost(claim, grant, UNKNOWN);
        }
        return false;
    }

    /** Asks whether a holder still has its lease, without renewing it. The result is {@code false} if not. */
    public CompletableFuture<Boolean> ask(Claim claim, Grant grant, long timeoutNanos) {
        return renew(claim, grant, 0, timeoutNanos);
    }

    /**
     * Extends the grant of a block as if it had been granted just now, if no other request waits.
     *
     * @param reserve how many tokens to reserve for passes of the block
     * @param passingNanos how long passes may continue after {@code sentAt}, in nanoseconds
     * @param sentAt the time from which the lease counts, just before now
     * @return the token as in {@link ExtendReply#token}; fails if there was no answer
     */
    public CompletableFuture<OptionalLong> extend(
            Claim block, Grant grant, int reserve, long passingNanos, long sentAt) {
        if (!policy.mayExtend(grant.grantedAt, sentAt + passingNanos)) {
            return CompletableFuture.completedFuture(OptionalLong.empty());
        }
        long lease = block.leaseNanos() / 1_000_000;
        ExtendCommand command =
                new ExtendCommand(block.names.get(0), block.id, lease, reserve, timeoutNanos(List.of(block), sentAt));
        return store.extend(command).thenApply(reply -> {
            List<LockName> missing = reply.held() ? List.of() : block.names;
            boolean ours = settle(block, grant, missing, sentAt, reply.token().isPresent() ? lease : 0);
            return ours ? reply.token() : OptionalLong.empty();
        });
    }

    /** The leases that are due at one time, and their timer. */
    private static final class Slot {

        final Set<Claim> claims = ConcurrentHashMap.newKeySet();
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

    private void schedule(Claim claim, long at) {
        Grant grant = claim.grant();
        if (grant == null) {
            return;
        }
        long slot = RenewalPolicy.slot(at, claim.leaseNanos());
        grant.slot = slot;
        slots.compute(slot, (due, known) -> {
            Slot shared = known == null ? new Slot(executors.onAsker(due - time.nanoTime(), () -> fire(due))) : known;
            shared.claims.add(claim);
            return shared;
        });
        if (claim.grant() == null) {
            end(claim, grant);
        }
    }

    private void fire(long slot) {
        Slot due = slots.remove(slot);
        if (due == null) {
            return;
        }
        long now = time.nanoTime();
        List<Claim> claims = new ArrayList<>(due.claims.size());
        for (Claim claim : due.claims) {
            Grant grant = claim.grant();
            if (grant != null && policy.mayRenew(grant.grantedAt, now)) {
                claims.add(claim);
            } else if (grant != null) {
                log.warn(
                        "Lock '{}' has been held by {} for baton.max-hold and is not renewed any more",
                        claim.title,
                        LockNames.printable(claim.owner));
            }
        }
        for (int from = 0; from < claims.size(); from += RenewCommand.MAX_RENEWALS) {
            send(claims.subList(from, Math.min(claims.size(), from + RenewCommand.MAX_RENEWALS)), true, true);
        }
    }

    /**
     * Sends one command.
     *
     * @param extend whether to extend all leases, including those that are not renewed automatically
     * @param repeat whether to schedule the leases again afterwards
     */
    private void send(List<Claim> claims, boolean extend, boolean repeat) {
        long sentAt = time.nanoTime();
        List<RenewCommand.Renewal> renewals = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            Grant grant = claim.grant();
            boolean renewable = claim.renewed && grant != null && policy.mayRenew(grant.grantedAt, sentAt);
            long lease = renewable || extend ? claim.leaseNanos() / 1_000_000 : 0;
            renewals.add(new RenewCommand.Renewal(claim.names, claim.id, lease));
        }
        store.renew(new RenewCommand(renewals, timeoutNanos(claims, sentAt))).whenComplete((answers, failure) -> {
            for (int i = 0; i < claims.size(); i++) {
                Claim claim = claims.get(i);
                Grant grant = claim.grant();
                if (grant == null) {
                    continue;
                }
                if (failure != null) {
                    log.debug("Renewing lock '{}' failed", claim.title, failure);
                    if (repeat) {
                        schedule(claim, policy.retry(time.nanoTime(), claim.leaseNanos()));
                    }
                    continue;
                }
                boolean ours = settle(
                        claim, grant, answers.get(i), sentAt, renewals.get(i).leaseMillis());
                if (repeat && ours) {
                    schedule(claim, policy.next(sentAt, claim.leaseNanos()));
                }
            }
        });
    }

    /**
     * Applies an answer to a lease. A lease that is over by the local clock is lost, whatever the answer. Returns
     * whether the lease is still valid.
     *
     * @param missing the locks of the claim that it no longer holds
     * @param leaseMillis the requested length in milliseconds, or 0 if the command only asked whether the lease is held
     */
    private boolean settle(Claim claim, Grant grant, List<LockName> missing, long sentAt, long leaseMillis) {
        if (!missing.isEmpty()) {
            claim.releaseOutcome.missing(missing);
            onLost.lost(claim, grant, UNKNOWN);
            return false;
        }
        if (LeaseClock.isOver(grant.end(), time.nanoTime())) {
            onLost.lost(claim, grant, ENDED);
            return false;
        }
        if (leaseMillis > 0) {
            grant.extend(LeaseClock.end(sentAt, TimeUnit.MILLISECONDS.toNanos(leaseMillis)));
        }
        return true;
    }

    /** Returns a time-out that leaves time for another attempt before the first of these leases ends. */
    private long timeoutNanos(List<Claim> claims, long now) {
        long timeout = settings.commandTimeoutNanos();
        for (Claim claim : claims) {
            Grant grant = claim.grant();
            if (grant != null) {
                timeout = Math.min(timeout, LeaseClock.remaining(grant.end(), now) / 2);
            }
        }
        return Math.max(LEAST_TIMEOUT_NANOS, timeout);
    }
}
