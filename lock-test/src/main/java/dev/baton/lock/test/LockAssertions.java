package dev.baton.lock.test;

import dev.baton.lock.Lease;
import dev.baton.lock.LockInspection;

/**
 * AssertJ assertions on locks: {@code assertThat(lockTemplate).isLocked("server_access", 42)}. Needs {@code assertj-core} on
 * the class path.
 */
public final class LockAssertions {

    private LockAssertions() {}

    /** Returns assertions on the locks that these operations see, of any holder. */
    public static LockInspectionAssert assertThat(LockInspection locks) {
        return new LockInspectionAssert(locks);
    }

    /** Returns assertions on one lease. */
    public static LeaseAssert assertThat(Lease lease) {
        return new LeaseAssert(lease);
    }
}
