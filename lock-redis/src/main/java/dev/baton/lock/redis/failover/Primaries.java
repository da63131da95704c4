package dev.baton.lock.redis.failover;

import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.redis.transaction.TransactionConnection;
import dev.baton.lock.store.LockName;
import org.jspecify.annotations.Nullable;

/** The primaries of the locks: one, or the masters of a cluster. Thread-safe. */
public interface Primaries {

    /** Returns connections to the primary of a lock that may block, or {@code null} if the primary is not known. */
    TransactionConnection.@Nullable Source connections(LockName name);

    /** Returns the primary of a lock, or {@code null} if it is not known. */
    @Nullable
    Primary primary(LockName name);

    /** Says that a command has failed, perhaps because the primary was replaced. */
    void troubled();

    /**
     * One primary.
     *
     * @param transport sends scripts to it
     * @param key the key under which its identity is stored
     */
    record Primary(ScriptTransport transport, String key) {}
}
