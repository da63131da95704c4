package dev.baton.lock.support;

import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.OnStuck;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.WaitTime;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.Taking;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.StoreTraits;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The defaults for what a request leaves open.
 *
 * @param stallTime how long the same holder may keep the lock while a request waits, or {@code null} for no bound
 * @param traits the traits of the store, which has the wait strategy and the polling interval
 */
record RequestDefaults(
        Duration expire,
        WaitTime waitTime,
        @Nullable Duration stallTime,
        long commandTimeoutNanos,
        OnLost onLost,
        StoreTraits traits) {

    private static final Duration LONGEST_WAIT = Duration.ofDays(36500);

    long leaseNanos(LockRequest request) {
        Duration own = request.expire();
        return (own == null ? expire : own).toNanos();
    }

    OnLost onLost(LockRequest request) {
        OnLost own = request.onLost();
        return own == null ? onLost : own;
    }

    /** Returns the longest pause between two polls of a request, or {@code null} if it does not poll. */
    private @Nullable Duration polling(LockRequest request) {
        WaitStrategy own = request.waitStrategy();
        if ((own == null ? traits.waitStrategy() : own) != WaitStrategy.POLLING) {
            return null;
        }
        Duration interval = request.pollingInterval();
        return interval == null ? traits.pollingInterval() : interval;
    }

    AcquisitionSpec spec(
            LockRequest request,
            List<LockName> names,
            String owner,
            String label,
            WaitTime otherwise,
            RequestEvents events) {
        WaitTime own = request.waitTime();
        WaitTime wait = own == null ? otherwise : own;
        boolean renewed =
                request.renew() == Renewal.ALWAYS || request.renew() == Renewal.AUTO && request.expire() == null;
        long waitNanos = wait.isUnbounded()
                ? 0
                : wait.isNone() ? commandTimeoutNanos : bounded(wait.duration()).toNanos();
        // the stall time is about one holder, and permits have several
        Duration otherwiseStall = request.permits() == null ? stallTime : null;
        Duration stall = request.stallTime() == null ? otherwiseStall : request.stallTime();
        AcquisitionSpec spec = new AcquisitionSpec(
                names,
                owner,
                label,
                leaseNanos(request),
                renewed,
                waitNanos,
                wait.isUnbounded(),
                wait.isNone(),
                request.interruptible(),
                stall == null ? 0 : stall.toNanos(),
                request.recheck(),
                polling(request),
                events);
        return request.onStuck() == OnStuck.STEAL ? spec.taking(Taking.IF_STUCK) : spec;
    }

    /**
     * Returns the rest of a wait after the given time. A try remains a try, and an unbounded wait remains unbounded.
     */
    static WaitTime left(WaitTime wait, long goneNanos) {
        if (wait.isNone() || wait.isUnbounded()) {
            return wait;
        }
        Duration left = wait.duration().minusNanos(goneNanos);
        return left.isNegative() ? WaitTime.none() : WaitTime.of(left);
    }

    static Duration bounded(Duration wait) {
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }
}
