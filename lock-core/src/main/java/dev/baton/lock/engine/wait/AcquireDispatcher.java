package dev.baton.lock.engine.wait;

import dev.baton.lock.LockHolder;
import dev.baton.lock.engine.lease.EndDispatcher;
import dev.baton.lock.engine.lease.LeaseMonitor;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.LossReasons;
import dev.baton.lock.engine.ticket.Outcome;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.engine.ticket.Taking;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.engine.wait.RecheckScheduler.Result;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AwaitReply;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.WaitingCaller;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends acquire commands and applies their answers, and the messages about grants, to the tickets. Blocks only where the
 * calling thread waits for the answer right away, and says so. Thread-safe.
 *
 * <p>A request is known until its end is acknowledged, not only until its grant: a late grant of an ended request is
 * answered with another end. A second grant of a request that already holds its lock is dropped.
 */
public final class AcquireDispatcher {

    private static final Logger log = LoggerFactory.getLogger(AcquireDispatcher.class);

    private static final long MOST_AHEAD_MILLIS = TimeUnit.DAYS.toMillis(1);

    /** The reason for which an acquire is sent. */
    private enum Cause {
        /** The tickets ask for the first time. */
        FIRST,
        /** The last acquire was one recheck ago. */
        TURN,
        /** The holder is stuck, and the ticket takes its lock. */
        STUCK,
        /** Any other reason. */
        NEWS
    }

    private final LockStore store;
    private final EngineSettings settings;
    private final EngineExecutors executors;
    private final TimeSource time;
    private final LeaseMonitor leases;
    private final EndDispatcher ends;
    private final RecheckScheduler rechecks;
    private final SubscriptionMonitor subscription;
    private final CommandBounds bounds;
    private final Takeovers takeovers;
    private final StatedSizes sizes = new StatedSizes();

    public AcquireDispatcher(
            LockStore store,
            EngineSettings settings,
            EngineExecutors executors,
            TimeSource time,
            LeaseMonitor leases,
            EndDispatcher ends) {
        this.store = store;
        this.settings = settings;
        this.executors = executors;
        this.time = time;
        this.leases = leases;
        this.ends = ends;
        this.bounds = new CommandBounds(settings.commandTimeoutNanos());
        this.takeovers = new Takeovers(store, executors, time, leases);
        this.subscription = new SubscriptionMonitor(store, settings.recheck().toNanos(), time);
        this.rechecks = new RecheckScheduler(
                executors,
                time,
                (tickets, behind, inTurn) ->
                        ask(tickets, behind, inTurn ? Cause.TURN : Cause.NEWS, null, store::acquire),
                store);
    }

    /** Returns the number of awaited names, where names that are requested together count as one. */
    public int awaitedNames() {
        return rechecks.size();
    }

    /**
     * Rechecks all waiters, because the subscription is active, perhaps again, and messages may have been lost. Those that
     * await conditions ask for their locks: their signals may have been lost with a server that failed.
     */
    public void listening() {
        subscription.subscribed();
        rechecks.fireAll();
    }

    /** Begins to repeat the acquire of a ticket that awaits a condition, as the store has answered to a command sent then. */
    public void awaits(Ticket ticket, AwaitReply reply, long sentAt) {
        ticket.seen(new Busy(null, reply.mark()), sentAt);
        ticket.answered(reply.possiblyRepeated());
        long recheck = settings.recheck(ticket).toNanos();
        long delay = isListening() ? recheck : Math.min(recheck, ticket.leaseNanos() / 2);
        rechecks.await(ticket.names(), List.of(ticket), reply.incomplete() ? 0 : delay);
    }

    /** Lets a ticket that awaits a condition ask for its lock. The result is complete when its first acquire is answered. */
    public CompletableFuture<?> stopAwaiting(Ticket ticket) {
        Asking.stopAwaiting(ticket);
        return ask(List.of(ticket), Cause.NEWS);
    }

    /** Returns whether messages about grants would arrive at present, as far as is known. */
    public boolean isListening() {
        return store.isListening() && !subscription.isDeaf();
    }

    /** Rechecks the waiters of a lock that may be free, because no message announces their grant. */
    public void freed(LockName name) {
        rechecks.fireSoonWith(name);
    }

    /** Rechecks the waiters of a lock, because the lost answer to an end may have announced a grant of this lock. */
    public void answerLost(LockName name) {
        subscription.answerLost();
        rechecks.fireSoon(List.of(name));
    }

    /**
     * Sends the first acquire of a ticket.
     *
     * @param caller the calling thread, or {@code null} if this thread does not wait for the grant right away. The
     *     ticket of a cohort may wait longer than this thread
     */
    public void begin(Ticket ticket, @Nullable WaitingCaller caller) {
        WaitingCaller bounded = caller == null ? null : bounds.bounded(caller);
        ask(List.of(ticket), List.of(), Cause.FIRST, bounded, acquire -> takeovers.first(ticket, acquire));
    }

    /**
     * Sends the end of one ticket and the first acquire of the next in one command. The result is the answer to the end.
     *
     * @param awaited whether the calling thread waits for the answer right away
     */
    public CompletableFuture<@Nullable EndReply> exchange(Ticket over, Ticket next, boolean awaited) {
        AtomicBoolean carried = new AtomicBoolean();
        CompletableFuture<@Nullable EndReply> ended = ends.end(over, awaited, end -> {
            carried.set(true);
            AtomicReference<@Nullable CompletableFuture<ExchangeReply>> sent = new AtomicReference<>();
            ask(List.of(next), List.of(), Cause.FIRST, null, acquire -> {
                CompletableFuture<ExchangeReply> both = store.exchange(new ExchangeCommand(end, acquire));
                sent.set(both);
                return both.thenApply(ExchangeReply::acquired);
            });
            CompletableFuture<ExchangeReply> both = sent.get();
            // the next ticket is no longer wanted, so the end goes alone
            return both == null ? store.end(end) : both.thenApply(ExchangeReply::ended);
        });
        if (!carried.get()) {
            begin(next, null);
        }
        return ended;
    }

    /** Gives up a ticket that waits, and ends it in the store. Does nothing if the ticket no longer waits. */
    public void giveUp(Ticket ticket) {
        if (ticket.giveUp(time.nanoTime())) {
            rechecks.remove(ticket);
            ends.withdraw(ticket);
        }
    }

    /** Sends one acquire for candidates that ask for the same locks, as often as each other and in the same way. */
    private CompletableFuture<Result> ask(List<Ticket> candidates, Cause cause) {
        return ask(candidates, List.of(), cause, null, store::acquire);
    }

    /**
     * As {@link #ask(List, Cause)}, sent by {@code how}. The parameters and the result are those of
     * {@link RecheckScheduler.Asker#ask}.
     */
    private CompletableFuture<Result> ask(
            List<Ticket> candidates,
            List<Ticket> behind,
            Cause cause,
            @Nullable WaitingCaller caller,
            Function<AcquireCommand, CompletableFuture<AcquireReply>> how) {
        long sentAt = time.nanoTime();
        boolean subscribed = store.isListening();
        boolean listening = subscribed && !subscription.isDeaf();
        List<Ticket> asked = new ArrayList<>(candidates.size());
        List<AcquireCommand.Request> requests = new ArrayList<>(candidates.size());
        for (Ticket ticket : candidates) {
            AcquireCommand.Request request = ticket.ask(Asking.kind(ticket, listening), settings.passMillis(), sentAt);
            if (request != null) {
                asked.add(ticket);
                requests.add(request);
            }
        }
        if (asked.isEmpty()) {
            if (!behind.isEmpty()) {
                rechecks.await(behind.get(0).names(), behind, 0);
            }
            return CompletableFuture.completedFuture(Result.ANSWERED);
        }
        Ticket one = asked.get(0);
        long timeout = behind.isEmpty() ? bounds.timeoutNanos(asked, sentAt) : settings.commandTimeoutNanos();
        CompletableFuture<AcquireReply> answer =
                how.apply(new AcquireCommand(one.names(), requests, settings.recheck(one), timeout, caller));
        if (cause != Cause.FIRST) {
            Ticket.rechecked(Asking.together(asked, behind), executors);
        }
        return answer.handle((reply, failure) -> {
            try {
                if (failure == null) {
                    if (subscribed) {
                        subscription.answered(asked, reply, cause == Cause.FIRST);
                    }
                    answered(asked, behind, reply, sentAt, listening, cause);
                } else {
                    failed(asked, behind, failure, time.nanoTime() - sentAt >= timeout, timeout);
                }
            } catch (RuntimeException ex) {
                // no caller would see the exception, and without a recheck the waiters would never ask again
                Ticket any = asked.get(0);
                log.error("Handling an answer about lock '{}' failed; the lock is requested again", any.title(), ex);
                rechecks.await(
                        any.names(),
                        Asking.together(asked, behind),
                        settings.recheck(any).toNanos());
            }
            if (failure != null) {
                return Result.FAILED;
            }
            // of a repeated command, the first answer may have told it
            return reply.joined() || reply.possiblyRepeated() ? Result.JOINED : Result.ANSWERED;
        });
    }

    private void answered(
            List<Ticket> asked, List<Ticket> behind, AcquireReply reply, long sentAt, boolean listening, Cause cause) {
        long remaining = 0;
        List<LockName> names = asked.get(0).names();
        Duration recheck = settings.recheck(asked.get(0));
        for (int i = 0; i < asked.size(); i++) {
            Ticket ticket = asked.get(i);
            AcquireReply.Answer answer = reply.answers().get(i);
            ticket.seen(answer, sentAt);
            Asking.apply(reply, ticket);
            ticket.answered(reply.possiblyRepeated());
            if (answer instanceof Granted granted) {
                granted(ticket, granted.token(), granted.number(), sentAt, sentAt);
                remaining = ticket.isWaiting() ? 0 : Math.min(ticket.leaseNanos(), recheck.toNanos());
            } else if (answer instanceof Busy busy) {
                remaining = Asking.remaining(ticket, busy.holder(), recheck);
                busy(ticket, busy, sentAt, reply.incomplete(), cause);
                sizes.saw(ticket, busy);
                overheard(behind, busy, sentAt);
                if (cause != Cause.FIRST) {
                    executors.onAsker(0, () -> ends.endIfForgotten(names, busy.holderId()));
                }
            } else {
                over(ticket);
            }
        }
        List<Ticket> waiting = new ArrayList<>();
        for (Ticket ticket : Asking.together(asked, behind)) {
            if (ticket.isWaiting() && !ticket.spec().tries()) {
                waiting.add(ticket);
            }
        }
        if (!waiting.isEmpty()) {
            long shortestLease =
                    waiting.stream().mapToLong(Ticket::leaseNanos).min().orElseThrow();
            long delay = Asking.afterBusy(asked.get(0), recheck, remaining, cause == Cause.TURN);
            // a waiter without messages has to ask before a grant of its lock has lapsed
            rechecks.await(
                    names, waiting, reply.incomplete() ? 0 : listening ? delay : Math.min(delay, shortestLease / 2));
            if (!listening && isListening()) {
                // the subscription became active while the answer was handled, before these waiters joined their group
                rechecks.fireSoon(names);
            }
        }
    }

    /** Applies a busy answer to the tickets on whose behalf the oldest asked. One of them may hold the lock unawares. */
    private void overheard(List<Ticket> behind, Busy answer, long sentAt) {
        for (Ticket ticket : behind) {
            if (ticket.id().equals(answer.holderId())) {
                executors.onAsker(0, () -> ask(List.of(ticket), Cause.NEWS));
            } else if (ticket.isWaiting()) {
                ticket.overheard(answer, sentAt);
                if (isStuck(ticket, answer, sentAt)) {
                    stuck(ticket, answer.holder());
                }
            }
        }
    }

    private void busy(Ticket ticket, Busy answer, long sentAt, boolean more, Cause cause) {
        Grant grant = ticket.grant();
        if (ticket.isWaiting() && ticket.spec().tries() && more) {
            executors.onAsker(0, () -> ask(List.of(ticket), Cause.NEWS));
        } else if (ticket.isWaiting() && ticket.spec().tries()) {
            ticket.fail(Outcome.REFUSED);
        } else if (ticket.isWaiting() && cause != Cause.STUCK && isStuck(ticket, answer, sentAt)) {
            stuck(ticket, answer.holder());
        } else if (grant != null && ticket.isOvertaken(grant.number)) {
            leases.lost(ticket, grant, LossReasons.UNKNOWN);
        } else if (ticket.isToBeEnded()) {
            executors.onAsker(0, () -> ends.end(ticket));
        }
    }

    /** Handles a stuck holder. If another had one of the locks in the end, the next recheck decides again. */
    private void stuck(Ticket ticket, @Nullable LockHolder holder) {
        if (ticket.spec().taking() != Taking.IF_STUCK) {
            ticket.fail(Outcome.STALLED);
        } else if (holder != null) {
            Function<AcquireCommand, CompletableFuture<AcquireReply>> how =
                    acquire -> takeovers.fromStuck(ticket, acquire, holder);
            executors.onAsker(0, () -> ask(List.of(ticket), List.of(), Cause.STUCK, null, how));
        }
    }

    private boolean isStuck(Ticket ticket, Busy answer, long sentAt) {
        return takeovers.isStuck(ticket, answer, sentAt, () -> ask(List.of(ticket), Cause.NEWS));
    }

    private static void over(Ticket ticket) {
        if (ticket.isWaiting()) {
            ticket.refused(new StoreException("the request was ended by another", false, null));
            ticket.fail(Outcome.FAILED);
        }
    }

    /**
     * Handles an acquire that was not answered.
     *
     * @param timedOut whether the answer did not arrive in time; otherwise the store was not reached, or refused
     */
    private void failed(
            List<Ticket> asked, List<Ticket> behind, Throwable failure, boolean timedOut, long timeoutNanos) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        StoreException refusal = cause instanceof StoreException known
                ? known
                : new StoreException("the lock store failed: " + cause, false, cause);
        List<Ticket> waiting = new ArrayList<>(asked.size());
        boolean telling = !refusal.isPassing() || bounds.isTelling(timeoutNanos);
        int failures = 1;
        for (Ticket ticket : asked) {
            // an earlier answer counts more than one moment in which the store cannot be reached
            failures = Math.max(failures, ticket.failed(refusal, telling || !timedOut && !ticket.isContended()));
            if (!refusal.isPassing() || ticket.spec().tries()) {
                ticket.fail(Outcome.FAILED);
            } else {
                waiting.add(ticket);
            }
        }
        for (Ticket ticket : behind) {
            if (telling && ticket.isWaiting()) {
                ticket.refused(refusal);
            }
        }
        waiting.addAll(behind);
        if (!waiting.isEmpty()) {
            Ticket one = asked.get(0);
            rechecks.await(one.names(), waiting, Asking.afterFailure(one, settings.recheck(one), failures));
        }
    }

    /**
     * Handles a message that reports the grant of a ticket. Called on the subscription's thread, which must neither wait
     * nor send commands to the store.
     */
    public void told(Ticket ticket, long token) {
        told(ticket, token, token);
    }

    /** As {@link #told(Ticket, long)}, with the number of the grant. */
    public void told(Ticket ticket, long token, long number) {
        // whatever its token, the message has arrived: the subscription works
        ticket.told();
        subscription.told();
        OptionalLong evidence = ticket.evidence(number);
        if (!isPlausible(token) || !isPlausible(number) || evidence.isEmpty() && ticket.isWaiting()) {
            doubted(ticket);
            return;
        }
        granted(ticket, token, number, evidence.orElse(0), time.nanoTime());
    }

    /**
     * Returns whether Redis may have given this token by now. Tokens are microseconds of Redis's clock, or little more.
     * A clock that is wrong by more than a day only costs additional commands.
     */
    public boolean isPlausible(long token) {
        return token > 0 && TimeUnit.MICROSECONDS.toMillis(token) - time.wallMillis() < MOST_AHEAD_MILLIS;
    }

    /**
     * Asks the store about a ticket, because a message about the ticket may be forged, damaged, or older than an answer.
     */
    public void doubted(Ticket ticket) {
        if (ticket.isWaiting()) {
            // the ticket asks for itself
            ticket.unqueued();
            rechecks.fireSoon(ticket.names());
        } else if (ticket.grant() != null) {
            executors.onAsker(0, () -> leases.ask(ticket));
        }
    }

    /**
     * Handles a hand-over to a queued ticket, which the answer to the end of another request reports.
     *
     * @param sentAt the time when that end was sent
     */
    public void handedOver(Ticket ticket, long token, long sentAt) {
        ticket.told();
        if (!ticket.isWaiting() || !ticket.isOvertaken(token)) {
            granted(ticket, token, token, sentAt, sentAt);
        }
    }

    /**
     * Applies a grant to a ticket.
     *
     * @param number the number of the grant
     * @param evidence a time before the grant, from which the lease counts
     * @param sentAt the time from which the next renewal counts: when the command that reported the grant was sent, or
     *     when the message arrived
     */
    private void granted(Ticket ticket, long token, long number, long evidence, long sentAt) {
        long now = time.nanoTime();
        long end = ticket.leaseEnd(evidence);
        if (ticket.isWaiting() && end - now <= 0) {
            // the ticket may still hold the lock: ask again, so that the lease counts from a later time
            executors.onAsker(0, () -> ask(List.of(ticket), Cause.NEWS));
            return;
        }
        Grant grant = ticket.granted(token, number, end, now);
        if (grant != null) {
            rechecks.remove(ticket);
            // the offer may run user code in this thread, so monitor the lease first
            leases.begin(ticket, grant, sentAt, now);
            if (!ticket.offer()) {
                giveBack(ticket, grant);
            }
            return;
        }
        Grant held = ticket.grant();
        if (held != null && token > held.token) {
            // the lease was lost and granted again without the holder's knowledge
            leases.lost(ticket, held, LossReasons.UNKNOWN);
        } else if (ticket.phase() instanceof Phase.Over over) {
            Grant before = over.grant();
            if (before != null && token > before.token) {
                // the store carries out no acquire of a request after its release, so it granted the lock again before
                // the release, which ended that new grant
                ticket.foundLost(now, LossReasons.UNKNOWN);
            }
            if (ticket.isToBeEnded()) {
                executors.onAsker(0, () -> ends.end(ticket));
            }
        }
    }

    /** Ends a lease that no acquisition wants any more. The ticket is over at once, so that a stop waits for its end. */
    private void giveBack(Ticket ticket, Grant grant) {
        if (leases.release(ticket, grant)) {
            executors.onAsker(0, () -> ends.end(ticket));
        }
    }
}
