package dev.baton.lock.test;

import dev.baton.lock.Lease;
import org.assertj.core.api.AbstractAssert;

/** Assertions on a lease. */
public final class LeaseAssert extends AbstractAssert<LeaseAssert, Lease> {

    LeaseAssert(Lease actual) {
        super(actual, LeaseAssert.class);
    }

    /** Verifies that the lease is held now. */
    public LeaseAssert isHeld() {
        isNotNull();
        if (!actual.isHeld()) {
            failWithMessage("Expected the lease of %s to be held, but it %s", actual.names(), what());
        }
        return this;
    }

    /** Verifies that the lease was lost before it was released. */
    public LeaseAssert isLost() {
        isNotNull();
        if (!actual.isExpired()) {
            failWithMessage("Expected the lease of %s to be lost, but it %s", actual.names(), what());
        }
        return this;
    }

    /** Verifies that the fencing token is greater than that of another lease: the lease was granted later. */
    public LeaseAssert isLaterThan(Lease earlier) {
        isNotNull();
        if (actual.fencingToken() <= earlier.fencingToken()) {
            failWithMessage(
                    "Expected the token of the lease of %s to be greater than %s, but it is %s",
                    actual.names(), earlier.fencingToken(), actual.fencingToken());
        }
        return this;
    }

    private String what() {
        return actual.isHeld() ? "is held" : actual.isExpired() ? "was lost" : "was released";
    }
}
