package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LeaseCondition;
import dev.baton.lock.LockDurations;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockObserver;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.OnLost;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.event.GrantDetails;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.time.KeptInterrupt;
import dev.baton.lock.time.LeaseClock;
import dev.baton.lock.time.Uninterruptibly;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One entry into a hold, as the user of the lease sees it. */
public final class DefaultLease implements Lease {

    private static final Logger log = LoggerFactory.getLogger(DefaultLease.class);

    private final LockEngine engine;
    private final ReentrantHold hold;
    private final Acquisition acquisition;
    private final ReentrantHold.Entry entry;
    /** The grant with which the lease began. A reader in the hold of a writer may have another one later. */
    private final Grant first;

    private final GrantDetails details;
    private final HoldReleaser releaser;
    private final Function<Duration, Optional<Lease>> reacquire;
    private final BiFunction<DefaultLease, String, LeaseCondition> conditions;
    /** Shared with the leases that follow this one after a wait at a condition: the entry leaves once. */
    private final AtomicBoolean closed;
    /** {@code null} if the lease is not observed. Written once, before the caller gets the lease. */
    private volatile @Nullable LeaseObservation observation;

    /**
     * Creates a lease.
     *
     * @param entry how the hold was entered
     * @param first the grant of the hold
     * @param releaser leaves the hold
     * @param reacquire requests the same locks again, with this lease length, without waiting for others
     * @param conditions creates a condition of a lease
     */
    DefaultLease(
            LockEngine engine,
            ReentrantHold hold,
            ReentrantHold.Entry entry,
            Grant first,
            GrantDetails details,
            HoldReleaser releaser,
            Function<Duration, Optional<Lease>> reacquire,
            BiFunction<DefaultLease, String, LeaseCondition> conditions) {
        this(engine, hold, entry, first, details, releaser, reacquire, conditions, new AtomicBoolean());
    }

    private DefaultLease(
            LockEngine engine,
            ReentrantHold hold,
            ReentrantHold.Entry entry,
            Grant first,
            GrantDetails details,
            HoldReleaser releaser,
            Function<Duration, Optional<Lease>> reacquire,
            BiFunction<DefaultLease, String, LeaseCondition> conditions,
            AtomicBoolean closed) {
        this.engine = engine;
        this.hold = hold;
        this.acquisition = hold.acquisition;
        this.entry = entry;
        this.first = first;
        this.details = details;
        this.releaser = releaser;
        this.reacquire = reacquire;
        this.conditions = conditions;
        this.closed = closed;
    }

    /** Returns whether the owner has given the lock up since, to await a condition. */
    private boolean isPast() {
        return hold.isAway() || hold.acquisition != acquisition;
    }

    @Override
    public LeaseCondition condition(String name) {
        return conditions.apply(this, name);
    }

    @Override
    public DefaultLease present() {
        return hold.acquisition == acquisition ? this : following();
    }

    /** Returns the lease that follows this one in the same hold. */
    DefaultLease following() {
        DefaultLease next = new DefaultLease(
                engine,
                hold,
                entry,
                hold.acquisition.lastGrant(),
                hold.backOr(details),
                releaser,
                reacquire,
                conditions,
                closed);
        next.observation = observation;
        return next;
    }

    /** Returns whether the lock may be shared while this lease is held. */
    boolean isReader() {
        return entry == ReentrantHold.Entry.READER;
    }

    /** Returns the grant of the lease. The lease of a writer is closed before its hold has another. */
    private Grant grant() {
        return entry == ReentrantHold.Entry.READER ? acquisition.lastGrant() : first;
    }

    @Override
    public List<String> names() {
        return acquisition.names().stream().map(LockName::name).toList();
    }

    @Override
    public List<String> redisKeys() {
        return engine.keys(acquisition.names());
    }

    @Override
    public String owner() {
        return acquisition.owner();
    }

    @Override
    public long fencingToken() {
        return grant().token;
    }

    @Override
    public boolean isHeld() {
        return !closed.get() && engine.keeper().isHeld(acquisition, grant());
    }

    @Override
    public boolean isExpired() {
        return !isHeld() && acquisition.isLost() && acquisition.lastGrant() == grant();
    }

    @Override
    public Duration remaining() {
        long left = LeaseClock.remaining(grant().end(), engine.nanoTime());
        return isHeld() && left > 0 ? Duration.ofNanos(left) : Duration.ZERO;
    }

    @Override
    public Instant expiresAt() {
        long left = LeaseClock.remaining(grant().end(), engine.nanoTime());
        return Instant.ofEpochMilli(engine.wallMillis()).plusNanos(left);
    }

    @Override
    public boolean renew() {
        return renewTo(acquisition.leaseNanos());
    }

    @Override
    public boolean renew(Duration expire) {
        long nanos = LockDurations.checkExpire(expire).toNanos();
        LockDurations.checkLongest(expire, engine.longestExpire());
        if (!renewTo(nanos)) {
            return false;
        }
        acquisition.leaseNanos(nanos);
        return true;
    }

    @Override
    public void verify() {
        if (isPast()) {
            if (!hold.isAway()) {
                present().verify();
            }
        } else if (isToVerify()) {
            checkNotLost();
            long bound = bound();
            Uninterruptibly.await(engine.keeper().ask(acquisition, grant(), bound), bound);
            checkNotLost();
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> verifyAsync() {
        if (isPast() && !hold.isAway()) {
            return present().verifyAsync();
        }
        if (isPast() || !isToVerify()) {
            return CompletableFuture.completedFuture(null);
        }
        if (isExpired()) {
            return CompletableFuture.failedFuture(lost(null));
        }
        return engine.keeper()
                .ask(acquisition, grant(), bound())
                .handleAsync(
                        (ours, failure) -> {
                            checkNotLost();
                            return null;
                        },
                        engine.executors()::complete);
    }

    private boolean isToVerify() {
        return !closed.get() && details.onLost() != OnLost.LOG;
    }

    /** Throws if the lease is known to be lost by now, from an answer or by the local clock. */
    private void checkNotLost() {
        if (isExpired()) {
            throw lost(null);
        }
    }

    @Override
    public Optional<Lease> renewOrReacquire(Duration expire) {
        if (renew(expire)) {
            return Optional.of(this);
        }
        checkNotReleased();
        // until the store knows that the old request has ended, the locks may still seem to be held by that request
        releaser.awaitEnd(engine, hold);
        return reacquire.apply(expire);
    }

    private void checkNotReleased() {
        if (closed.get() || isPast()) {
            throw new IllegalStateException("Lock '" + acquisition.title() + "' cannot be renewed: this lease (token "
                    + grant().token + ") has been released; acquire the lock again");
        }
    }

    /**
     * Extends the lease to at least the given length from now, unless that much is left already.
     *
     * @param kept whether the lease is renewed anyway while it is held
     */
    void ensure(long leaseNanos, boolean kept) {
        if (!kept && remaining().toNanos() < leaseNanos && !renewTo(leaseNanos)) {
            throw lost(null);
        }
    }

    /** Works like {@link #ensure(long, boolean)}, without waiting. */
    CompletableFuture<@Nullable Void> ensureAsync(long leaseNanos, boolean kept) {
        if (kept || remaining().toNanos() >= leaseNanos) {
            return CompletableFuture.completedFuture(null);
        }
        return engine.keeper()
                .renew(acquisition, grant(), leaseNanos, bound())
                .handleAsync(
                        (renewed, failure) -> {
                            if (failure != null) {
                                throw notRenewed("the store has not answered", failure);
                            }
                            if (!renewed || !isHeld()) {
                                throw lost(null);
                            }
                            return null;
                        },
                        engine.executors()::complete);
    }

    /** Returns how long to wait for the answer to a renewal, in nanoseconds. */
    private long bound() {
        long left = LeaseClock.remaining(grant().end(), engine.nanoTime());
        return Math.max(1, Math.min(left, engine.settings().commandTimeoutNanos()));
    }

    private boolean renewTo(long leaseNanos) {
        if (!isHeld()) {
            return false;
        }
        long bound = bound();
        CompletableFuture<Boolean> answer = engine.keeper().renew(acquisition, grant(), leaseNanos, bound);
        try {
            return answer.get(bound, TimeUnit.NANOSECONDS) && isHeld();
        } catch (InterruptedException ex) {
            KeptInterrupt.restore();
            throw notRenewed("the thread was interrupted", ex);
        } catch (ExecutionException ex) {
            Throwable cause = ex.getCause();
            throw notRenewed(
                    cause instanceof StoreException ? String.valueOf(cause.getMessage()) : "the store failed", cause);
        } catch (TimeoutException ex) {
            throw notRenewed("the store has not answered within " + TimeUnit.NANOSECONDS.toMillis(bound) + " ms", ex);
        }
    }

    private LockStoreException notRenewed(String why, @Nullable Throwable cause) {
        return new LockStoreException(
                acquisition.spec().name(),
                "Lock '" + acquisition.title() + "' could not be renewed ("
                        + remaining().toMillis() + " ms of its lease left): " + why,
                cause);
    }

    @Override
    public Duration waited() {
        return details.waited();
    }

    @Override
    public boolean contended() {
        return details.contended();
    }

    @Override
    public Optional<LockHolder> waitedFor() {
        return Optional.ofNullable(details.waitedFor());
    }

    @Override
    public int attempts() {
        return details.attempts();
    }

    public ReentrantHold hold() {
        return hold;
    }

    /** Sets the observation, which is notified when the lease is over: released, or lost. */
    void observed(LeaseObservation observer) {
        observation = observer;
        observer.watch(hold, () -> engine.executors().callBack(() -> observer.lost(this, details.onLost())));
    }

    @Override
    public LockObserver.Scope openScope() {
        LeaseObservation observer = observation;
        return observer == null ? Lease.super.openScope() : observer.open();
    }

    /** Leaves the hold. Returns {@code false} if the owner no longer held the lock. */
    private boolean leave() {
        boolean ours = releaser.leave(engine, hold, entry);
        left(ours);
        return ours;
    }

    private CompletableFuture<Boolean> leaveAsync() {
        CompletableFuture<Boolean> leave = releaser.leaveAsync(engine, hold, entry);
        return observation == null
                ? leave
                : leave.thenApply(ours -> {
                    left(ours);
                    return ours;
                });
    }

    private void left(boolean ours) {
        LeaseObservation observer = observation;
        if (observer == null) {
            return;
        }
        observer.forget(hold);
        if (ours) {
            observer.ended(null);
        } else {
            observer.lost(this, details.onLost());
        }
    }

    boolean interrupts() {
        return details.onLost() == OnLost.INTERRUPT;
    }

    @Override
    public boolean release() {
        return closed.compareAndSet(false, true) && leave() && !hold.isAway();
    }

    @Override
    public void close() {
        finish(null);
    }

    /**
     * Releases the lease after the work is done.
     *
     * @param result the result of the work, for the exception
     * @throws LockLostException if the lease was lost, unless losses are only logged ({@link OnLost#LOG})
     */
    void finish(@Nullable Object result) {
        if (closed.compareAndSet(false, true) && !leave() && details.onLost() != OnLost.LOG) {
            throw lost(result);
        }
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync() {
        return closed.compareAndSet(false, true) ? leaveAsync() : CompletableFuture.completedFuture(false);
    }

    @Override
    public CompletableFuture<@Nullable Void> closeAsync() {
        return finishAsync(null);
    }

    /** Works like {@link #finish}, without waiting. */
    CompletableFuture<@Nullable Void> finishAsync(@Nullable Object result) {
        if (!closed.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(null);
        }
        return leaveAsync().<@Nullable Void>thenApply(ours -> {
            if (!ours && details.onLost() != OnLost.LOG) {
                throw lost(result);
            }
            return null;
        });
    }

    LockLostException lost(@Nullable Object result) {
        long now = engine.nanoTime();
        Acquisition last = hold.acquisition;
        Duration lostFor = Duration.ofNanos(Math.max(0, now - last.overSince(now)));
        return new LockLostException(
                last.spec().name(),
                last.lostNames(),
                last.owner(),
                last.label(),
                last == acquisition ? grant().token : last.lastGrant().token,
                lostFor,
                last.lossReason(),
                last.nextHolder(now),
                result);
    }

    @Override
    public void onLost(Runnable action) {
        acquisition
                .loss()
                .thenRun(() -> engine.executors().callBack(() -> {
                    if (acquisition.lastGrant() != grant()) {
                        return;
                    }
                    try {
                        action.run();
                    } catch (RuntimeException ex) {
                        log.error("A callback for the loss of lock '{}' failed", acquisition.title(), ex);
                    }
                }));
    }

    @Override
    public void onRequested(Runnable action) {
        acquisition.onRequested(this::isHeld, () -> {
            if (!isHeld()) {
                return;
            }
            try {
                action.run();
            } catch (RuntimeException ex) {
                log.error("A callback for requests that wait for lock '{}' failed", acquisition.title(), ex);
            }
        });
    }

    @Override
    public String toString() {
        return "Lease of '" + acquisition.title() + "' (token " + grant().token + ", "
                + remaining().toMillis() + " ms left)";
    }
}
