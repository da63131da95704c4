package dev.baton.lock.store;

import java.util.List;

/**
 * Extends leases, many at once.
 *
 * @param renewals what to extend; 1 to {@link #MAX_RENEWALS}
 * @param timeoutNanos when the answer is no longer awaited
 */
public record RenewCommand(List<Renewal> renewals, long timeoutNanos) {

    public static final int MAX_RENEWALS = 256;

    /**
     * One lease.
     *
     * @param names its locks
     * @param id the request that holds it
     * @param leaseMillis how long it is to last from when this runs, if that is longer than what is left; 0: only ask
     */
    public record Renewal(List<LockName> names, String id, long leaseMillis) {}
}
