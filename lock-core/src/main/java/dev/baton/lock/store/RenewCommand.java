package dev.baton.lock.store;

import java.util.List;

/**
 * Renews leases, many at once, all in one {@linkplain LockStore#shard part} of the store.
 *
 * @param renewals the leases to renew, 1 to {@link #MAX_RENEWALS}
 * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds
 */
public record RenewCommand(List<Renewal> renewals, long timeoutNanos) {

    public static final int MAX_RENEWALS = 256;

    /**
     * One lease.
     *
     * @param names the locks of the lease
     * @param id the id of the request that holds the lease
     * @param leaseMillis the length of the lease from the execution of the command, in milliseconds; a lease that has
     *     more time left is not shortened. With 0 the command only asks whether the request still holds its locks
     */
    public record Renewal(List<LockName> names, String id, long leaseMillis) {}
}
