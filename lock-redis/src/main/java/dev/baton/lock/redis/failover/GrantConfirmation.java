package dev.baton.lock.redis.failover;

import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.RenewCommand.Renewal;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Decides when a grant of the primary counts. Thread-safe. */
public interface GrantConfirmation {

    /**
     * Completes when grants of one slot count. Fails if they do not count within the time, or cannot count any more.
     *
     * @param grants the grants, as renewals of length 0
     */
    CompletableFuture<?> confirm(List<Renewal> grants, long timeoutNanos);

    /** Renews leases as {@link dev.baton.lock.store.LockStore#renew} does. Fails if the renewal does not count. */
    CompletableFuture<List<List<LockName>>> renew(RenewCommand command);

    /** Refuses further commands. Those in progress fail when their time is over. */
    void close();
}
