package dev.baton.lock.engine.ticket;

import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A ticket as its commands describe it to the store. All but the kind stays the same, because a store may find the waiter
 * by it. Thread-safe.
 */
final class RequestText {

    private final Ticket ticket;
    /** The request as the last acquire described it, or {@code null} if none was about to be sent. */
    private volatile @Nullable Request request;
    /** The wait at a condition that comes first, or {@code null} if there is none. Written before the first acquire. */
    private @Nullable ConditionWait atCondition;

    RequestText(Ticket ticket) {
        this.ticket = ticket;
    }

    void awaits(ConditionWait wait) {
        atCondition = wait;
    }

    @Nullable
    ConditionWait atCondition() {
        return atCondition;
    }

    Request describe(Kind kind, long passMillis) {
        Request known = request;
        if (known == null) {
            long leaseMillis = TimeUnit.NANOSECONDS.toMillis(ticket.leaseNanos());
            known = ticket.spec()
                    .request(ticket.id(), kind, leaseMillis, patienceMillis(), passMillis, ticket.reserve());
            request = known;
        } else if (known.kind() != kind) {
            known = known.as(kind);
            request = known;
        }
        return atCondition == null ? known : atCondition.describe(known);
    }

    /**
     * Returns the request as an end describes it, or {@code null} if no acquire was about to be sent.
     *
     * @param taken whether a caller took the lock
     */
    @Nullable
    Request atEnd(boolean taken) {
        Request known = request;
        return known == null || atCondition == null ? known : atCondition.describeEnd(known, taken);
    }

    /** Returns the whole wait in milliseconds, more than 0, or -1 if it is unbounded. */
    private long patienceMillis() {
        AcquisitionSpec spec = ticket.spec();
        return spec.unbounded() ? -1 : TimeUnit.NANOSECONDS.toMillis(Math.max(0, spec.waitNanos())) + 1;
    }
}
