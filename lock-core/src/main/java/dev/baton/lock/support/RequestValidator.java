package dev.baton.lock.support;

import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.OnStuck;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.store.StoreTraits;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

    /**
     * Rejects a request, or the defaults of a scope, with a wait strategy that the store does not serve, or with a polling
     * interval that would have no effect.
     *
     * @param what the lock or the scope, for the message
     * @param strategy how the request waits: as it says itself, or as its scope or the store does
     */
    static void checkWait(LockRequest request, WaitStrategy strategy, StoreTraits traits, Supplier<String> what) {
        if (!traits.serves(strategy)) {
            throw new UnservedRequestException(
                    "waitStrategy",
                    "waitStrategy " + strategy + " of " + what.get() + " is not that of the store, which is "
                            + traits.waitStrategy() + " (baton.wait-strategy)",
                    "leave waitStrategy out, or use POLLING");
        }
        Duration interval = request.pollingInterval();
        if (interval != null && strategy != WaitStrategy.POLLING) {
            throw new UnservedRequestException(
                    "pollingInterval",
                    "pollingInterval " + interval.toMillis() + " ms of " + what.get()
                            + " has no effect, because the wait strategy is " + strategy,
                    "use waitStrategy POLLING, or leave pollingInterval out");
        }
    }

    /**
     * Rejects a request, or the defaults of a scope, that would take the lock of a stuck holder but never finds one stuck.
     *
     * @param otherwise the configured stall time, or {@code null} if there is none
     * @param what the lock or the scope, for the message
     */
    static void checkOnStuck(LockRequest request, @Nullable Duration otherwise, Supplier<String> what) {
        if (request.onStuck() == OnStuck.STEAL && request.stallTime() == null && otherwise == null) {
            throw new UnservedRequestException(
                    "onStuck",
                    "onStuck STEAL of " + what.get() + " needs a stall time",
                    "set stallTime on the request, in its scope or for all (baton.stall-time), or use onStuck FAIL");
        }
    }

    /**
     * Returns a request whose locks can be taken from their holders.
     *
     * @throws IllegalArgumentException if the request asks for permits
     */
    static LockRequest takeable(LockRequest request) {
        if (request.permits() != null) {
            throw new IllegalArgumentException(
                    "permits of semaphore '" + request.title() + "' cannot be taken from their"
                            + " holders; raise the size for a time by overrideSize, or take all permits away by forceRelease");
        }
        return request;
    }

    /**
     * Rejects a request that shares a lock or takes permits if the store has exclusive locks only.
     *
     * @param exclusiveOnly why requests can do neither; {@code null} if they can
     */
    static void checkShared(LockRequest request, @Nullable String exclusiveOnly) {
        if (exclusiveOnly == null) {
            return;
        }
        if (request.permits() != null) {
            throw new UnservedRequestException(
                    "permits",
                    "permits of semaphore '" + request.title() + "' are not possible, because " + exclusiveOnly,
                    "use baton.handler: script and baton.wait-strategy: grant, or a lock");
        }
        if (request.isShared()) {
            throw new UnservedRequestException(
                    "mode",
                    "mode SHARED of lock '" + request.title() + "' is not possible, because " + exclusiveOnly,
                    "use baton.handler: script and baton.wait-strategy: grant, or mode EXCLUSIVE");
        }
    }

    /**
     * Rejects a request, or the defaults of a scope, whose lease is longer than the store allows.
     *
     * @param otherwise the configured lease of a request that does not say
     * @param longest the longest lease, or {@code null} if any length is possible
     * @param what the lock or the scope, for the message
     */
    static void checkExpire(
            LockRequest request, Duration otherwise, @Nullable Duration longest, Supplier<String> what) {
        Duration expire = request.expire() == null ? otherwise : request.expire();
        if (longest != null && expire.compareTo(longest) > 0) {
            throw new UnservedRequestException(
                    "expire",
                    "expire " + expire.toMillis() + " ms of " + what.get() + " is longer than the longest lease, "
                            + longest.toMillis() + " ms (baton.longest-expire)",
                    "shorten expire, which is renewed while the work goes on, or raise baton.longest-expire in every"
                            + " process");
        }
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

    /**
     * Rejects the use of conditions where there are none.
     *
     * @param locks how many locks the request has
     * @param noConditions why the store has no conditions, and the remedy, or {@code null} if it has them
     */
    static void checkConditions(String title, int locks, @Nullable String noConditions) {
        if (locks > 1) {
            throw new UnsupportedOperationException("the " + locks + " locks '" + title
                    + "' of one request have no conditions; acquire the lock of the condition by a request of its own");
        }
        if (noConditions != null) {
            throw new UnsupportedOperationException("lock '" + title + "' has no conditions: " + noConditions);
        }
    }
}
