package dev.baton.lock.support;

import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import java.time.Duration;

/** Checks requests against the configuration, and the way in which the requests are made. Pure. */
final class RequestValidator {

    private RequestValidator() {}

    /**
     * Returns the request for a lease that the caller closes: there is no work to interrupt.
     *
     * @param otherwise the configured value for a request that does not say
     */
    static LockRequest withoutWork(LockRequest request, OnLost otherwise) {
        if (request.onLost() == OnLost.INTERRUPT) {
            throw new IllegalArgumentException(
                    "onLost INTERRUPT of lock '" + request.title()
                            + "' needs work to interrupt, and an explicit lease has none; use execute, or Lease.onLost(Runnable)");
        }
        return request.onLost() == null && otherwise == OnLost.INTERRUPT ? request.onLost(OnLost.THROW) : request;
    }

    /** Returns the request with another lease length, which also limits {@link LockRequest#holdAtLeast()}. */
    static LockRequest withExpire(LockRequest request, Duration expire) {
        Duration least = request.holdAtLeast();
        return (least == null || least.compareTo(expire) <= 0 ? request : request.holdAtLeast(expire)).expire(expire);
    }

    /**
     * Rejects a request that keeps its lock for longer than the default lease. A request with an expire of its own was
     * checked when it was created.
     */
    static void checkHoldAtLeast(LockRequest request, Duration defaultExpire) {
        Duration least = request.holdAtLeast();
        if (least != null && request.expire() == null && least.compareTo(defaultExpire) > 0) {
            throw new IllegalArgumentException("holdAtLeast " + least.toMillis() + " ms of lock '" + request.title()
                    + "' is longer than its lease of " + defaultExpire.toMillis()
                    + " ms (baton.expire); a lock is not kept beyond its lease: set a longer expire on the request, or"
                    + " shorten holdAtLeast");
        }
    }
}
