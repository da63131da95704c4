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
