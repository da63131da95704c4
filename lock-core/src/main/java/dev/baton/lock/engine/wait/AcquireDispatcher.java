package dev.baton.lock.engine.wait;

import dev.baton.lock.LockHolder;
import dev.baton.lock.engine.lease.EndDispatcher;
import dev.baton.lock.engine.lease.LeaseMonitor;
import dev.baton.lock.engine.lease.LeaseRenewer;
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.Outcome;
import dev.baton.lock.engine.ticket.StallMonitor;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.LeaseClock;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends acquire commands and applies their answers, and the messages about grants, to the claims. Never blocks.
 * Thread-safe.
 *
 * <p>A request is known until its end is acknowledged, not only until its grant: a late grant of an ended request is
 * answered with another end. A second grant of a request that already holds its lock is dropped.
 */
public final class AcquireDispatcher {

    private static final Logger log = LoggerFactory.getLogger(AcquireDispatcher.class);

    /** The longest time before the end of a wait at which a request learns that there is no answer. */
    static final long LONGEST_HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long MOST_AHEAD_MILLIS = TimeUnit.DAYS.toMillis(1);

    /** The reason for which an acquire is sent. */
    private enum Cause {
        /** The claims ask for the first time. */
        FIRST,
        /** The last acquire was one recheck ago. */
        TURN,
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
        this.subscription = new SubscriptionMonitor(store, settings.recheck().toNanos(), time);
        this.rechecks = new RecheckScheduler(
                executors,
                time,
                (claims, inTurn) -> ask(claims, inTurn ? Cause.TURN : Cause.NEWS),
                KeyspaceWatches.of(store));
    }

    public RecheckScheduler rechecks() {
        return rechecks;
    }

    /** Rechecks all waiters, because the subscription is active, perhaps again, and messages may have been lost. */
    public void listening() {
        subscription.subscribed();
        rechecks.fireAll();
    }

    /** Returns whether messages about grants would arrive at present, as far as is known. */
    public boolean isListening() {
        return store.isListening() && !subscription.isDeaf();
    }

    /** Rechecks the waiters of a lock that may be free, because no message announces their grant. */
    public void freed(LockName name) {
        rechecks.fireSoon(List.of(name));
    }

    /** Rechecks the waiters of a lock, because the lost answer to an end may have announced a grant of this lock. */
    public void answerLost(LockName name) {
        subscription.answerLost();
        rechecks.fireSoon(List.of(name));
    }

    /** Sends the first acquire of a claim. */
    public void begin(Claim claim) {
        ask(List.of(claim), Cause.FIRST);
    }

    /**
     * Sends the end of one block and the first acquire of the next in one command. The result is the answer to the end.
     */
    public CompletableFuture<@Nullable EndReply> exchange(Claim over, Claim next) {
        AtomicBoolean carried = new AtomicBoolean();
        CompletableFuture<@Nullable EndReply> ended = ends.end(over, end -> {
            carried.set(true);
            AtomicReference<@Nullable CompletableFuture<ExchangeReply>> sent = new AtomicReference<>();
            ask(List.of(next), Cause.FIRST, acquire -> {
                CompletableFuture<ExchangeReply> both = store.exchange(new ExchangeCommand(end, acquire));
                sent.set(both);
                return both.thenApply(ExchangeReply::acquired);
            });
            CompletableFuture<ExchangeReply> both = sent.get();
            // the next block is no longer wanted, so the end goes alone
            return both == null ? store.end(end) : both.thenApply(ExchangeReply::ended);
        });
        if (!carried.get()) {
            begin(next);
        }
        return ended;
    }

    /** Sends one acquire for candidates that ask for the same locks and have the same recheck interval. */
    private CompletableFuture<Boolean> ask(List<Claim> candidates, Cause cause) {
        return ask(candidates, cause, store::acquire);
    }

    /** As {@link #ask(List, Cause)}, sent by {@code how}. The result is that of {@link RecheckScheduler.Asker#ask}. */
    private CompletableFuture<Boolean> ask(
            List<Claim> candidates, Cause cause, Function<AcquireCommand, CompletableFuture<AcquireReply>> how) {
        long sentAt = time.nanoTime();
        long order = store.order();
        boolean subscribed = store.isListening();
        boolean listening = subscribed && !subscription.isDeaf();
        List<Claim> asked = new ArrayList<>(candidates.size());
        List<AcquireCommand.Request> requests = new ArrayList<>(candidates.size());
        for (Claim claim : candidates) {
            if (claim.ask(sentAt, order)) {
                asked.add(claim);
                requests.add(request(claim, listening, settings.passMillis(), sentAt));
            }
        }
        if (asked.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        Claim one = asked.get(0);
        List<LockName> names = one.names;
        Duration recheck = settings.recheck(one);
        long timeout = timeoutNanos(asked, sentAt);
        CompletableFuture<AcquireReply> answer =
                how.apply(new AcquireCommand(names, requests, rechecks.pace(one, recheck), timeout));
        asked.forEach(Claim::asked);
        if (cause != Cause.FIRST) {
            rechecked(asked);
        }
        return answer.handle((reply, failure) -> {
            try {
                if (failure == null) {
                    if (subscribed) {
                        subscription.answered(asked, reply, cause == Cause.FIRST);
                    }
                    answered(names, asked, reply, sentAt, listening, cause);
                } else {
                    failed(names, asked, failure, time.nanoTime() - sentAt >= timeout, timeout);
                }
            } catch (RuntimeException ex) {
                // no caller would see the exception, and without a recheck the waiters would never ask again
                log.error("Handling an answer about lock '{}' failed; it is asked for again", one.title, ex);
                rechecks.await(names, asked, recheck.toNanos());
            }
            return failure == null;
        });
    }

    public static AcquireCommand.Request request(Claim claim, boolean listening, long passMillis, long now) {
        AcquireCommand.Kind kind = claim.tries
                ? AcquireCommand.Kind.TRY
                : listening ? AcquireCommand.Kind.MESSAGE : AcquireCommand.Kind.POLL;
        long patience = WaitPolicy.patienceMillis(claim.unbounded, claim.deadline, now);
        long lease = TimeUnit.NANOSECONDS.toMillis(claim.leaseNanos());
        return new AcquireCommand.Request(
                claim.id, kind, lease, patience, passMillis, claim.owner, claim.label, claim.reserve);
    }

    /** Publishes a recheck. A block asks on behalf of its members. */
    private void rechecked(List<Claim> asked) {
        List<Claim> askers =
                asked.stream().flatMap(claim -> claim.askers().stream()).toList();
        if (!askers.isEmpty()) {
            askers.get(0).events.rechecked(askers.size(), executors);
        }
    }

    /**
     * Returns the time-out of a command. A request that asks alone learns why it gets no answer just before its wait
     * ends, not after.
     */
    private long timeoutNanos(List<Claim> asked, long now) {
        if (asked.size() > 1 || asked.get(0).unbounded) {
            return settings.commandTimeoutNanos();
        }
        long left = asked.get(0).deadline - now;
        long withHeadStart = left - Math.min(left / 10, LONGEST_HEAD_START_NANOS);
        return Math.max(TimeUnit.MILLISECONDS.toNanos(1), Math.min(settings.commandTimeoutNanos(), withHeadStart));
    }

    private void answered(
            List<LockName> names, List<Claim> asked, AcquireReply reply, long sentAt, boolean listening, Cause cause) {
        List<Claim> waiting = new ArrayList<>(asked.size());
        long remaining = 0;
        long shortestLease = Long.MAX_VALUE;
        Duration recheck = settings.recheck(asked.get(0));
        for (int i = 0; i < asked.size(); i++) {
            Claim claim = asked.get(i);
            AcquireReply.Answer answer = reply.answers().get(i);
            claim.seen(answer, sentAt);
            claim.answered(reply.possiblyRepeated());
            if (answer instanceof Granted granted) {
                granted(claim, granted.token(), sentAt, sentAt);
            } else if (answer instanceof Busy busy) {
                remaining = remaining(busy.holder(), recheck);
                busy(claim, busy, sentAt, reply.incomplete());
            } else {
                over(claim);
            }
            if (claim.isWaiting() && !claim.tries) {
                waiting.add(claim);
                shortestLease = Math.min(shortestLease, claim.leaseNanos());
            }
        }
        if (!waiting.isEmpty()) {
            double random = ThreadLocalRandom.current().nextDouble();
            long delay = WaitPolicy.of(store, recheck).afterBusy(remaining, random, cause == Cause.TURN);
            // a waiter without messages has to ask before a grant of its lock has lapsed
            rechecks.await(
                    names, waiting, reply.incomplete() ? 0 : listening ? delay : Math.min(delay, shortestLease / 2));
            if (!listening && isListening()) {
                // the subscription became active while the answer was handled, before these waiters joined their group
                rechecks.fireSoon(names);
            }
        }
    }

    /**
     * Returns the rest of the holder's lease, at most one recheck. A free lock that could not be granted counts as one
     * recheck.
     */
    private static long remaining(@Nullable LockHolder holder, Duration recheck) {
        // a lease from elsewhere may be too long to be expressed in nanoseconds, so compare first
        return holder == null || holder.remaining().compareTo(recheck) > 0
                ? recheck.toNanos()
                : holder.remaining().toNanos();
    }

    private void busy(Claim claim, Busy answer, long sentAt, boolean more) {
        Grant grant = claim.grant();
        if (claim.isWaiting() && claim.tries && more) {
            executors.onAsker(0, () -> ask(List.of(claim), Cause.NEWS));
        } else if (claim.isWaiting() && claim.tries) {
            claim.settled.complete(Outcome.REFUSED);
        } else if (claim.isWaiting() && isStuck(claim, answer, sentAt)) {
            claim.settled.complete(Outcome.STALLED);
        } else if (grant != null && claim.isOvertaken(grant.token)) {
            leases.lost(claim, grant, LeaseRenewer.UNKNOWN);
        } else if (claim.phase() instanceof Claim.Over) {
            executors.onAsker(0, () -> ends.end(claim));
        }
    }

    private boolean isStuck(Claim claim, Busy answer, long sentAt) {
        StallMonitor stallMonitor = claim.stallMonitor;
        return stallMonitor != null
                && stallMonitor.saw(answer.holder(), sentAt, time, executors, () -> ask(List.of(claim), Cause.NEWS));
    }

    private static void over(Claim claim) {
        if (claim.isWaiting()) {
            claim.refused(new StoreException("the request was ended by another", false, null));
            claim.settled.complete(Outcome.FAILED);
        }
    }

    /**
     * Handles an acquire that was not answered.
     *
     * @param timedOut whether the answer did not arrive in time; otherwise the store was not reached, or refused
     */
    private void failed(
            List<LockName> names, List<Claim> asked, Throwable failure, boolean timedOut, long timeoutNanos) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        StoreException refusal = cause instanceof StoreException known
                ? known
                : new StoreException("the lock store failed: " + cause, false, cause);
        List<Claim> waiting = new ArrayList<>(asked.size());
        boolean telling =
                !refusal.isPassing() || timeoutNanos >= WaitPolicy.tellingNanos(settings.commandTimeoutNanos());
        int failures = 1;
        for (Claim claim : asked) {
            // an earlier answer counts more than one moment in which the store cannot be reached
            failures = Math.max(failures, claim.failed(refusal, telling || !timedOut && !claim.contended()));
            if (!refusal.isPassing() || claim.tries) {
                claim.settled.complete(Outcome.FAILED);
            } else {
                waiting.add(claim);
            }
        }
        if (!waiting.isEmpty()) {
            WaitPolicy policy = WaitPolicy.of(store, settings.recheck(asked.get(0)));
            rechecks.await(
                    names,
                    waiting,
                    policy.afterFailure(failures, ThreadLocalRandom.current().nextDouble()));
        }
    }

    /**
     * Handles a message that reports the grant of a claim. Called on the subscription's thread, which must neither wait
     * nor send commands to the store.
     */
    public void told(Claim claim, long token) {
        // whatever its token, the message has arrived: the subscription works
        claim.told();
        subscription.told();
        OptionalLong evidence = claim.evidence(token);
        if (!isPlausible(token) || evidence.isEmpty() && claim.isWaiting()) {
            doubted(claim);
            return;
        }
        granted(claim, token, evidence.orElse(0), time.nanoTime());
    }

    /**
     * Returns whether Redis may have given this token by now. Tokens are microseconds of Redis's clock, or little more.
     * A clock that is wrong by more than a day only costs additional commands.
     */
    public boolean isPlausible(long token) {
        return token > 0 && TimeUnit.MICROSECONDS.toMillis(token) - time.wallMillis() < MOST_AHEAD_MILLIS;
    }

    /**
     * Asks the store about a claim, because a message about the claim may be forged, damaged, or older than an answer.
     */
    public void doubted(Claim claim) {
        if (claim.isWaiting()) {
            rechecks.fireSoon(claim.names);
        } else if (claim.grant() != null) {
            executors.onAsker(0, () -> leases.renewer().askNow(List.of(claim)));
        }
    }

    /**
     * Handles a hand-over to a queued claim, which the answer to the end of another request reports.
     *
     * @param sentAt the time when that end was sent
     */
    public void handedOver(Claim claim, long token, long sentAt) {
        claim.told();
        if (!claim.isWaiting() || !claim.isOvertaken(token)) {
            granted(claim, token, sentAt, sentAt);
        }
    }

    /**
     * Applies a grant to a claim.
     *
     * @param evidence a time before the grant, from which the lease counts
     * @param sentAt the time from which the next renewal counts: when the command that reported the grant was sent, or
     *     when the message arrived
     */
    private void granted(Claim claim, long token, long evidence, long sentAt) {
        long now = time.nanoTime();
        long end = LeaseClock.end(evidence, claim.leaseNanos());
        if (claim.isWaiting() && LeaseClock.isOver(end, now)) {
            // the claim may still hold the lock: ask again, so that the lease counts from a later time
            executors.onAsker(0, () -> ask(List.of(claim), Cause.NEWS));
            return;
        }
        Grant grant = claim.granted(token, end, now);
        if (grant != null) {
            rechecks.remove(claim);
            // completing the claim may run user code in this thread, so monitor the lease first
            leases.begin(claim, grant, sentAt, now);
            claim.settled.complete(Outcome.GRANTED);
            return;
        }
        Grant held = claim.grant();
        if (held != null && token > held.token) {
            // the lease was lost and granted again without the holder's knowledge
            leases.lost(claim, held, LeaseRenewer.UNKNOWN);
        } else if (claim.phase() instanceof Claim.Over over) {
            Grant before = over.grant();
            if (over.why() == Claim.Why.RELEASED && before != null && token > before.token && claim.standsFor == null) {
                // the store carries out no acquire of a request after its release, so it granted the lock again before
                // the release, which ended that new grant
                leases.foundLost(claim, before);
            }
            executors.onAsker(0, () -> ends.end(claim));
        }
    }
}
