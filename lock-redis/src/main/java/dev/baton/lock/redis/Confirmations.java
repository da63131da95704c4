package dev.baton.lock.redis;

import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.redis.failover.AcknowledgedRenewals;
import dev.baton.lock.redis.failover.GrantConfirmation;
import dev.baton.lock.redis.failover.Primaries;
import dev.baton.lock.redis.failover.PrimaryPause;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.script.ScriptCommands;
import org.jspecify.annotations.Nullable;

/** Chooses what has to confirm a grant before it counts. */
final class Confirmations {

    private Confirmations() {}

    /** Returns what confirms grants, or {@code null} if each grant of the primary counts. */
    static @Nullable GrantConfirmation of(
            RedisLockStore store,
            Primaries primaries,
            ScriptCommands scripts,
            LockCommands unconfirmed,
            StoreThreads threads) {
        GrantConfirmation replicas = store.replicasToAck == 0
                ? null
                : new AcknowledgedRenewals(store.replicasToAck, scripts, primaries, store.failures, threads);
        return store.failoverPause == null
                ? replicas
                : new PrimaryPause(store.failoverPause, primaries, unconfirmed, replicas, store.failures);
    }
}
