package dev.baton.lock.test;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockInspection;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockState;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions on locks. Keys are as for {@link LockRequest#of}: no key means the single lock of a scope. */
public final class LockInspectionAssert extends AbstractAssert<LockInspectionAssert, LockInspection> {

    LockInspectionAssert(LockInspection actual) {
        super(actual, LockInspectionAssert.class);
    }

    /** Verifies that the lock is held. */
    public LockInspectionAssert isLocked(String scope, Object... key) {
        held(LockRequest.of(scope, key));
        return this;
    }

    /** Verifies that the lock is not held. */
    public LockInspectionAssert isNotLocked(String scope, Object... key) {
        LockState state = inspect(LockRequest.of(scope, key));
        state.holder()
                .ifPresent(holder ->
                        failWithMessage("Expected lock '%s' to be free, but %s holds it", state.name(), holder));
        return this;
    }

    /** Verifies that this owner, as in {@link dev.baton.lock.Lease#owner()}, holds the lock. */
    public LockInspectionAssert isLockedBy(String owner, String scope, Object... key) {
        LockRequest request = LockRequest.of(scope, key);
        LockHolder holder = held(request);
        if (holder != null && !holder.owner().equals(owner)) {
            failWithMessage(
                    "Expected lock '%s' to be held by owner '%s', but %s holds it", request.name(), owner, holder);
        }
        return this;
    }

    /** Verifies that the lock has this number of waiters. */
    public LockInspectionAssert hasWaiters(long count, String scope, Object... key) {
        LockState state = inspect(LockRequest.of(scope, key));
        if (state.waiting() != count) {
            failWithMessage(
                    "Expected %s to wait for lock '%s', but %s do: %s",
                    count, state.name(), state.waiting(), state.waiters());
        }
        return this;
    }

    /** Verifies that no lock of the namespace is held. */
    public LockInspectionAssert hasNoLocks() {
        isNotNull();
        try (var held = actual.list("*")) {
            var locks = held.toList();
            if (!locks.isEmpty()) {
                failWithMessage("Expected no lock to be held, but these are: %s", locks);
            }
        }
        return this;
    }

    private @Nullable LockHolder held(LockRequest request) {
        LockState state = inspect(request);
        if (state.holder().isEmpty()) {
            failWithMessage(
                    "Expected lock '%s' to be held, but it is free (%s wait for it)", state.name(), state.waiting());
        }
        return state.holder().orElse(null);
    }

    private LockState inspect(LockRequest request) {
        isNotNull();
        return actual.inspect(request);
    }
}
