package dev.baton.lock.test;

import dev.baton.lock.Lease;
import dev.baton.lock.LockInspection;

/**
 * AssertJ assertions on locks: {@code assertThat(lockTemplate).isLocked("server_access", 42)}. Needs {@code assertj-core} on
 * the class path.
 */
public final class LockAssertions {

    private LockAssertions() {}

    /** About the locks that these operations see, whoever holds them. */
    public static LockInspectionAssert assertThat(LockInspection locks) {
        return new LockInspectionAssert(locks);
    }

    /** About one lease. */
    public static LeaseAssert assertThat(Lease lease) {
        return new LeaseAssert(lease);
    }
}
