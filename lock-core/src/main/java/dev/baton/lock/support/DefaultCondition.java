package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LeaseCondition;
import dev.baton.lock.LockNames;
import dev.baton.lock.WaitTime;
import dev.baton.lock.engine.AwaitOutcome;
import dev.baton.lock.engine.AwaitRequest;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.event.GrantDetails;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Grant;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A condition of the lock of one lease. Thread-safe. */
final class DefaultCondition implements LeaseCondition {

    private final PreparedRequest asked;
    private final ReentrantHold hold;
    private final DefaultLease lease;
    private final String name;
    private final HoldRegistry holds;
    private final RequestPreparer preparer;
    private final WaitTime waitTime;

    DefaultCondition(
            PreparedRequest asked,
            ReentrantHold hold,
            DefaultLease lease,
            String name,
            HoldRegistry holds,
            RequestPreparer preparer) {
        this(asked, hold, lease, LockNames.checkCondition(name), holds, preparer, preparer.backWithin(asked));
    }

    private DefaultCondition(
            PreparedRequest asked,
            ReentrantHold hold,
            DefaultLease lease,
            String name,
            HoldRegistry holds,
            RequestPreparer preparer,
            WaitTime waitTime) {
        this.asked = asked;
        this.hold = hold;
        this.lease = lease;
        this.name = name;
        this.holds = holds;
        this.preparer = preparer;
        this.waitTime = waitTime;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public LeaseCondition waitTime(WaitTime other) {
        checkBack(other);
        return new DefaultCondition(asked, hold, lease, name, holds, preparer, other);
    }

    private void checkBack(WaitTime back) {
        if (back.isNone()) {
            throw new IllegalArgumentException("lock '" + title()
                    + "' could not come back after a wait at condition '" + name
                    + "', because its wait time is none; use a longer one (LeaseCondition.waitTime)");
        }
    }

    @Override
    public Lease await() throws InterruptedException {
        return await(0, true, true).lease();
    }

    @Override
    public Woken await(Duration time) throws InterruptedException {
        return await(RequestDefaults.bounded(time).toNanos(), false, true);
    }

    @Override
    public Lease awaitUninterruptibly() {
        try {
            return await(0, true, false).lease();
        } catch (InterruptedException ex) {
            throw new IllegalStateException("an interrupt does not end this wait", ex);
        }
    }

    private Woken await(long nanos, boolean unbounded, boolean interruptible) throws InterruptedException {
        if (interruptible && Thread.interrupted()) {
            throw new InterruptedException(
                    "interrupted before lock '" + title() + "' awaited condition '" + name + "'");
        }
        LockEngine engine = asked.running();
        long beganAt = engine.nanoTime();
        Acquisition holder = held();
        Grant grant = holder.lastGrant();
        checkBack(waitTime);
        if (grant.keepMillis(beganAt) > 0 || asked.request().holdAtLeast() != null) {
            throw new UnsupportedOperationException(
                    "lock '" + title() + "' is kept for holdAtLeast, so it cannot be given up" + " to await condition '"
                            + name + "'; leave holdAtLeast out");
        }
        PreparedRequest again = preparer.back(asked);
        AwaitRequest request = new AwaitRequest(
                name,
                holder.spec().back(holder.leaseNanos(), again.events()),
                nanos,
                unbounded,
                interruptible,
                waitTime.isUnbounded()
                        ? null
                        : RequestDefaults.bounded(waitTime.duration()).toNanos());
        hold.goesAway();
        hold.tellRelease(beganAt);
        again.events().awaiting(name);
        AwaitOutcome outcome;
        DefaultLease next;
        try {
            // what fails from here on leaves the hold away: nothing is held, and closing its leases has no effect
            outcome = engine.conditions().await(holder, grant, request);
            if (outcome == null) {
                throw lease.lost(null);
            }
            next = back(outcome.acquisition(), again);
        } catch (RuntimeException | Error ex) {
            again.events().asked();
            again.events().failed(ex);
            throw ex;
        }
        InterruptedException cause = outcome.interrupt();
        if (cause != null) {
            Thread.interrupted();
            InterruptedException interrupted = new InterruptedException(
                    "interrupted while lock '" + title() + "' awaited condition '" + name + "'");
            interrupted.initCause(cause);
            throw interrupted;
        }
        long left = nanos - (engine.nanoTime() - beganAt);
        return new Woken(next, outcome.inTime(), Duration.ofNanos(left));
    }

    /** Lets the hold have its lock again. */
    private DefaultLease back(Acquisition waiter, PreparedRequest again) {
        LockEngine engine = asked.running();
        GrantDetails details = waiter.details(preparer.onLost(asked));
        boolean open = hold.comesBack(waiter, details, holds);
        DefaultLease next = lease.following();
        if (!open || !next.isHeld()) {
            hold.goesAway();
            boolean held = engine.releaser().release(waiter);
            if (held) {
                throw new IllegalMonitorStateException(
                        "lock '" + title() + "' was released while its owner awaited condition '" + name + "'");
            }
            throw next.lost(null);
        }
        hold.tellLoss(again.events(), engine.executors());
        again.events().asked();
        again.events()
                .granted(
                        waiter.lastGrant().token,
                        new GrantDetails(
                                Duration.ZERO, true, details.attempts(), details.onLost(), details.waitedFor()));
        return next;
    }

    @Override
    public void signal() {
        signal(false);
    }

    @Override
    public void signalAll() {
        signal(true);
    }

    private void signal(boolean all) {
        Acquisition holder = held();
        if (!signal(holder.ticketId(), all, "")) {
            throw notHeld(null);
        }
    }

    @Override
    public void signalUnchecked() {
        checkConditions();
        signal("", false, "");
    }

    @Override
    public void wakeUp(String owner) {
        checkConditions();
        signal("", false, Objects.requireNonNull(owner, "owner"));
    }

    private boolean signal(String id, boolean all, String owner) {
        return asked.running().conditions().signal(hold.acquisition.names().get(0), id, name, all, owner);
    }

    private void checkConditions() {
        RequestValidator.checkConditions(
                title(), hold.acquisition.names().size(), asked.running().noConditions());
    }

    /** Returns the acquisition that holds the lock alone. */
    private Acquisition held() {
        checkConditions();
        Acquisition holder = hold.acquisition;
        if (!lease.isHeld()) {
            throw notHeld(lease.isExpired() ? lease.lost(null) : null);
        }
        if (lease.isReader() || !hold.shared().isEmpty()) {
            throw new IllegalMonitorStateException("lock '" + title() + "' is shared by " + holder.label()
                    + ", and only a writer can use its condition '" + name + "'");
        }
        return holder;
    }

    private IllegalMonitorStateException notHeld(@Nullable Throwable cause) {
        IllegalMonitorStateException illegal = new IllegalMonitorStateException(
                "lock '" + title() + "' is not held by this lease, which cannot use its condition '" + name + "'");
        if (cause != null) {
            illegal.initCause(cause);
        }
        return illegal;
    }

    private String title() {
        return LockNames.printable(asked.request().name());
    }

    @Override
    public String toString() {
        return "condition '" + name + "' of lock '" + title() + "'";
    }
}
