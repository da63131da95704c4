package dev.baton.lock;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validates the settings of a request. Each message names the setting and the remedy. */
final class LockRequestRules {

    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration SHORTEST_POLLING = Duration.ofMillis(1);
    private static final int LONGEST_OWNER = 1_024;

    private LockRequestRules() {}

    static void check(LockRequestDraft draft) {
        checkNumber(draft.targets);
        if (draft.namespace != null) {
            LockNames.checkNestedNamespace(draft.namespace);
        }
        if (draft.expire != null) {
            LockDurations.checkExpire(draft.expire);
        }
        checkRange(draft.stallTime, "stall time", SHORTEST);
        checkRange(draft.recheck, "recheck", SHORTEST);
        checkRange(draft.pollingInterval, "polling interval", SHORTEST_POLLING);
        checkPolling(draft.waitStrategy, draft.pollingInterval);
        checkHoldAtLeast(draft.holdAtLeast, draft.expire);
        checkOwner(draft.owner);
        if (draft.permits != null) {
            checkPermits(draft);
        }
    }

    private static void checkPermits(LockRequestDraft draft) {
        if (draft.targets.size() > 1) {
            throw new IllegalArgumentException(
                    "permits and several locks exclude each other: a request takes permits of"
                            + " one semaphore; make one request for each, always in the same order");
        }
        if (!draft.shared.isEmpty()) {
            throw new IllegalArgumentException("permits and mode SHARED exclude each other; leave mode out");
        }
        if (draft.stallTime != null) {
            throw new IllegalArgumentException("permits and stallTime exclude each other, because permits have several"
                    + " holders; bound the wait by waitTime");
        }
        if (draft.onStuck == OnStuck.STEAL) {
            throw new IllegalArgumentException("permits and onStuck STEAL exclude each other, because permits have"
                    + " several holders; leave onStuck out");
        }
        if (!draft.reentrant) {
            throw new IllegalArgumentException(
                    "permits and reentrant exclude each other, because each acquisition takes"
                            + " permits of its own; leave reentrant out");
        }
        if (draft.owner != null) {
            throw new IllegalArgumentException(
                    "permits and owner exclude each other, because each acquisition is an owner"
                            + " of its own; leave owner out, any thread may release the lease");
        }
    }

    /**
     * Rejects a combination of requests if one of them asks for permits.
     *
     * @throws IllegalArgumentException as for a request for permits and several locks
     */
    static void checkTogether(LockRequest one, LockRequest other) {
        if (one.permits() != null || other.permits() != null) {
            throw new IllegalArgumentException("permits of '" + (one.permits() != null ? one : other).title()
                    + "' cannot be combined with other locks; make one request for each, always in the same order");
        }
    }

    private static void checkNumber(List<LockTarget> targets) {
        if (targets.isEmpty()) {
            throw new IllegalArgumentException("a request names no lock; name at least one");
        }
        if (targets.size() > LockRequest.MOST_LOCKS) {
            throw new IllegalArgumentException("a request for " + targets.size() + " locks is too large (at most "
                    + LockRequest.MOST_LOCKS + "); lock what they have in common instead");
        }
    }

    private static void checkRange(@Nullable Duration duration, String what, Duration shortest) {
        if (duration != null
                && (duration.compareTo(shortest) < 0 || duration.compareTo(LockDurations.LONGEST_EXPIRE) > 0)) {
            throw new IllegalArgumentException(what + " " + LockDurations.text(duration) + " is out of range; use "
                    + LockDurations.text(shortest) + " to ten years");
        }
    }

    private static void checkPolling(@Nullable WaitStrategy waitStrategy, @Nullable Duration pollingInterval) {
        if (pollingInterval != null && waitStrategy != null && waitStrategy != WaitStrategy.POLLING) {
            throw new IllegalArgumentException("pollingInterval " + LockDurations.text(pollingInterval)
                    + " and waitStrategy " + waitStrategy + " exclude each other; use waitStrategy POLLING, or leave"
                    + " pollingInterval out");
        }
    }

    private static void checkHoldAtLeast(@Nullable Duration holdAtLeast, @Nullable Duration expire) {
        if (holdAtLeast == null) {
            return;
        }
        if (holdAtLeast.isNegative() || holdAtLeast.isZero()) {
            throw new IllegalArgumentException("holdAtLeast " + LockDurations.text(holdAtLeast)
                    + " is not positive; leave it out to release at once");
        }
        if (holdAtLeast.compareTo(LockDurations.LONGEST_EXPIRE) > 0
                || expire != null && holdAtLeast.compareTo(expire) > 0) {
            throw new IllegalArgumentException("holdAtLeast " + LockDurations.text(holdAtLeast)
                    + " is longer than the lease" + (expire == null ? " may be" : " of " + LockDurations.text(expire))
                    + "; a lock is not kept beyond its lease: raise expire, or shorten holdAtLeast");
        }
    }

    private static void checkOwner(@Nullable String owner) {
        if (owner != null && (owner.isBlank() || owner.length() > LONGEST_OWNER)) {
            throw new IllegalArgumentException("owner "
                    + (owner.isBlank()
                            ? "is blank"
                            : "has " + owner.length() + " characters, more than " + LONGEST_OWNER)
                    + "; name what shares the lock, for example the id of a connection");
        }
    }
}
