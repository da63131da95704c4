package dev.baton.lock;

import java.util.Optional;

/**
 * How locks are kept and handed over here.
 *
 * @param handler how the store does each operation in one step
 * @param waitStrategy how those who wait learn of a lock that is theirs, or free
 * @param topology which kind of Redis it is
 * @param server what it calls itself, {@code redis 7.2.4} for instance; empty if it does not say, or was not reached. Relatives of
 *     Redis call themselves Redis too unless they are recent
 * @param renewsExpired whether a lease that has ended can be renewed as if it had not; false: whoever was too late is told
 */
public record LockCapabilities(
        Handler handler, WaitStrategy waitStrategy, Topology topology, Optional<String> server, boolean renewsExpired) {

    /** How the store does each operation in one step. */
    public enum Handler {
        /** A script per operation. */
        SCRIPT,
        /** Redis transactions. */
        TRANSACTION,
        /** Not decided before Redis has answered the first operation ({@code baton.handler: auto}). */
        UNDECIDED,
        /** Not on Redis. */
        OTHER
    }

    /** Which kind of Redis. */
    public enum Topology {
        /** One server, or one address that stands for a master and its replicas. */
        STANDALONE,
        /** Behind sentinels. */
        SENTINEL,
        CLUSTER,
        /** Not Redis. */
        OTHER
    }
}
