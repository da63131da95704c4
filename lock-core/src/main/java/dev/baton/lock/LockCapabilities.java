package dev.baton.lock;

import java.util.Optional;

/**
 * Describes how the store keeps locks and hands them over.
 *
 * @param handler how the store performs each operation in one step
 * @param waitStrategy how waiters learn that a lock is theirs, or free
 * @param topology the kind of Redis
 * @param server the name and version that the server reports, {@code redis 7.2.4} for instance; empty if the server
 *     reports none, or was not reached. Relatives of Redis also call themselves Redis, unless they are recent
 */
public record LockCapabilities(Handler handler, WaitStrategy waitStrategy, Topology topology, Optional<String> server) {

    /** How the store performs each operation in one step. */
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

    /** The kind of Redis. */
    public enum Topology {
        /** One server, or one address for a master and its replicas. */
        STANDALONE,
        /** Behind sentinels. */
        SENTINEL,
        CLUSTER,
        /** Not Redis. */
        OTHER
    }
}
